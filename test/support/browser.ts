import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import path from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll } from 'vitest';
import { type Browser, type BrowserContextOptions, chromium, type Page } from 'playwright-core';

/** First the one that has no windows of its own: it starts in half the time of a whole Chromium. */
const NAMES = ['chromium-headless-shell', 'chromium', 'chromium-browser', 'google-chrome'];
/** A machine that has no Chromium yet downloads it first. */
const LIMIT_MS = 900_000;
const SETUP = path.resolve('tools/setup.mjs');
/**
 * The address bar of each window is two pages of its own, which cost a second of a processor. Chromium heeds one list
 * of features alone: Playwright's own features are named again.
 */
const FEATURES_OFF = [
  ...['WebUIOmniboxPopup', 'WebUIOmniboxAimPopup', 'SpareRendererForSitePerProcess'],
  ...['AvoidUnnecessaryBeforeUnloadCheckSync', 'DestroyProfileOnBrowserClose', 'HttpsUpgrades'],
  ...['HttpsFirstBalancedModeAutoEnable', 'LensOverlay', 'MediaRouter', 'PaintHolding'],
  ...['ThirdPartyStoragePartitioning', 'AvoidCorsURLLoaderRestartOnRedirect', 'OptimizationHints'],
  ...['NetworkTimeServiceQuerying', 'AimEnabled', 'PreconnectToSearch'],
];
/** A browser that runs in a container, and sends nothing of its own. */
const OPTIONS = [
  `--disable-features=${FEATURES_OFF.join(',')}`,
  '--no-sandbox',
  '--disable-dev-shm-usage',
  '--disable-gpu',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
  '--no-first-run',
];

/** The acts of a page beside those of the test, one line each. */
export interface WatchedPage {
  readonly page: Page;
  /** Complaints of the browser: scripts that fail, security policies, answers that were no success. */
  readonly complaints: readonly string[];
  /** Addresses asked for outside of the site. */
  readonly outside: readonly string[];
}

export interface TestBrowser {
  /** Opens a page in a profile of its own. */
  open(address: string, options?: BrowserContextOptions): Promise<WatchedPage>;
  /** Goes through the page at a link into the shop, in a profile of its own. */
  enterShop(link: string, options?: BrowserContextOptions): Promise<WatchedPage>;
}

/** Where a page runs no script, the player presses the button of the way into the shop. */
export async function enterShopOn(page: Page, link: string, javaScriptEnabled = true) {
  await page.goto(link);
  if (!javaScriptEnabled) await page.getByRole('button').click();
  await page.waitForURL('**/shop');
}

/** Starts Chromium before the tests of a file and ends it after them. */
export function useBrowser(): TestBrowser {
  let browser: Browser | undefined;
  beforeAll(async () => {
    browser = await chromium.launch({ executablePath: await chromiumPath(), args: OPTIONS });
  }, LIMIT_MS);
  afterAll(async () => browser?.close(), LIMIT_MS);
  return {
    open: async (address, options) => {
      const watched = await watchNewPage(browser!, new URL(address).origin, options);
      await watched.page.goto(address);
      return watched;
    },
    enterShop: async (link, options) => {
      const watched = await watchNewPage(browser!, new URL(link).origin, options);
      await enterShopOn(watched.page, link, options?.javaScriptEnabled);
      return watched;
    },
  };
}

async function watchNewPage(
  browser: Browser,
  origin: string,
  options?: BrowserContextOptions,
): Promise<WatchedPage> {
  const context = await browser.newContext(options);
  const page = await context.newPage();
  const complaints: string[] = [];
  const outside: string[] = [];
  page.on('pageerror', ({ message }) => complaints.push(message));
  page.on('console', (message) => {
    if (['error', 'warning'].includes(message.type())) complaints.push(message.text());
  });
  page.on('request', (request) => {
    const url = request.url();
    if (!url.startsWith(origin) && !url.startsWith('data:')) outside.push(url);
  });
  return { page, complaints, outside };
}

/** Chromium is asked for by the tests that need it: others run on machines that have none. */
async function chromiumPath(): Promise<string> {
  const found = installedChromium();
  if (found !== undefined) return found;
  await promisify(execFile)(process.execPath, [SETUP, '--browser-alone']);
  const installed = installedChromium();
  if (installed === undefined) throw new Error('Chromium was installed, but is not on the PATH');
  return installed;
}

function installedChromium(): string | undefined {
  const folders = (process.env['PATH'] ?? '').split(path.delimiter);
  const candidates = NAMES.flatMap((name) => folders.map((folder) => path.join(folder, name)));
  return process.env['CHROMIUM'] ?? candidates.find((candidate) => existsSync(candidate));
}
