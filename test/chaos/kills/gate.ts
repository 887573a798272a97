import { existsSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { eventually } from '../../support/eventually.js';

const PRELOAD = path.resolve(process.env['BUILD_DIR'] ?? 'dist', 'test/chaos/kills/preload.js');
const REACHED_LIMIT_MS = 60_000;

/** A step: a program is about to send bytes in which a text stands, such as the type of an event. */
export interface KillStep {
  readonly program: string;
  readonly text: string;
  /** Not before they are sent, but when their answer has come, of which the program learns nothing. */
  readonly isAnswered?: boolean;
}

/** The content of the gate's file for the programs. */
export type Gate =
  | { readonly lists: true }
  | (KillStep & { readonly lists: false; readonly signal: 'SIGKILL' | 'SIGSTOP' });

/** The gate that all programs of a standalone look at. */
export class GateFile {
  readonly #file: string;

  constructor(private readonly folder: string) {
    this.#file = path.join(folder, 'gate');
  }

  /** The environment of the standalone. */
  get env(): Readonly<Record<string, string>> {
    const preload = pathToFileURL(PRELOAD);
    preload.searchParams.set('folder', pathToFileURL(this.folder).href);
    return { NODE_OPTIONS: `--import ${preload.href}` };
  }

  /**
   * From now on all steps are noted. @returns the function that ends that and gives them, each once, in their order.
   */
  list(): () => readonly KillStep[] {
    const listFile = path.join(this.folder, 'list');
    writeFileSync(listFile, '');
    this.#write({ lists: true });
    return () => {
      rmSync(this.#file);
      const lines = new Set(readFileSync(listFile, 'utf8').trim().split('\n'));
      return [...lines].map((line) => {
        const [program = '', text = ''] = line.split(' ');
        return { program, text };
      });
    };
  }

  /** The program that comes to this step first is ended, or stands still, before it. */
  shut(step: KillStep, signal: 'SIGKILL' | 'SIGSTOP'): void {
    rmSync(`${this.#file}.passed`, { force: true });
    this.#write({ ...step, lists: false, signal });
  }

  /** Resolves when a program has come to it. @throws Error when none does within a limit. */
  async untilReached({ program, text }: KillStep): Promise<void> {
    const isReached = () => existsSync(`${this.#file}.passed`);
    const what = `the ${program} about to send ${text}`;
    await eventually(isReached, { what, limitMs: REACHED_LIMIT_MS });
  }

  open(): void {
    rmSync(this.#file, { force: true });
  }

  /** In one piece: programs read it at any moment. */
  #write(gate: Gate): void {
    writeFileSync(`${this.#file}.new`, JSON.stringify(gate));
    renameSync(`${this.#file}.new`, this.#file);
  }
}
