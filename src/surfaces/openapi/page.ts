import type { RequestHandler } from 'express';
import { readFileSync } from 'node:fs';
import { sendPage } from '../page.ts';
import type { OpenApiDocument } from './document.ts';
import { referenceHtml } from './reference.ts';

/** Serves the document as a page for people: written on the server, one file of style, no script. */
export function docsPage(document: OpenApiDocument): RequestHandler {
  const body = referenceHtml(document);
  const head = '\n    <link rel="stylesheet" href="/docs/reference.css" />';
  return (_req, res) => sendPage(res, { title: document.info.title, head, body });
}

/** Serves the page's style. */
export function docsStyle(): RequestHandler {
  const css = readFileSync(new URL('reference.css', import.meta.url), 'utf8');
  return (_req, res) => {
    res.setHeader('Cache-Control', 'public, max-age=3600');
    res.type('css').send(css);
  };
}
