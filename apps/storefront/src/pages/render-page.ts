import type { ReactElement } from 'react';
import { renderToStaticMarkup } from 'react-dom/server';

/** React renders elements only. */
const DOCTYPE = '<!doctype html>';

/** HTML that may be sent as it is: React has escaped all texts in it. */
export interface RenderedPage {
  readonly status: number;
  readonly html: string;
}

/** Renders a whole document once, for a browser that runs no React (decision 0081). */
export function renderPage(status: number, page: ReactElement): RenderedPage {
  return { status, html: DOCTYPE + renderToStaticMarkup(page) };
}
