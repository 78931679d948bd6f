import { readFile } from 'node:fs/promises';
import type { RequestHandler, Response } from 'express';
import helmet from 'helmet';
import { AppError, message } from '../kit/errors/errors.ts';
import { escapeHtml } from '../kit/text/html.ts';

/** Sources of a content security policy, besides our own origin. */
type Policy = Readonly<Partial<Record<'styleSrc' | 'fontSrc' | 'imgSrc' | 'workerSrc' | 'scriptSrc', string[]>>>;

/** A file that a page loads. */
interface Asset {
  readonly type: string;
  read(): Promise<string>;
}

/** An HTML page of the server itself. */
export interface Page {
  readonly title: string;
  /** HTML for `head`. */
  readonly head: string;
  /** HTML for `body`. */
  readonly body: string;
  readonly policy?: Policy;
}

/** Sends a page that loads nothing from other origins. */
export function sendPage(res: Response, page: Page): void {
  const self = ["'self'"];
  const directives = {
    defaultSrc: ["'none'"],
    scriptSrc: self,
    styleSrc: self,
    imgSrc: [...self, 'data:'],
    connectSrc: self,
    baseUri: ["'none'"],
    objectSrc: ["'none'"],
    formAction: ["'none'"],
    frameAncestors: ["'none'"],
    ...page.policy,
  };
  helmet.contentSecurityPolicy({ useDefaults: false, directives })(res.req, res, () => undefined);
  res.setHeader('Cache-Control', 'no-cache');
  res.vary('Accept');
  res.type('html').send(`<!doctype html>
<html lang="en">
  <head>
    <meta charset="utf-8" />
    <meta name="viewport" content="width=device-width, initial-scale=1" />
    <title>${escapeHtml(page.title)}</title>
    <link rel="icon" href="data:," />${page.head}
  </head>
  <body>${page.body}
  </body>
</html>
`);
}

/** Serves the files of a page by name. */
export function assetsOf(assets: Readonly<Record<string, Asset>>): RequestHandler<{ file: string }> {
  return async (req, res) => {
    const asset = Object.hasOwn(assets, req.params.file) ? assets[req.params.file] : undefined;
    if (!asset) throw new AppError('NOT_FOUND', message`No file "${req.params.file.slice(0, 80)}"`);
    const text = await asset.read();
    res.setHeader('Cache-Control', 'public, max-age=3600');
    res.type(asset.type).send(text);
  };
}

/** An asset that is a file of ours: a script or a style sheet. */
export function fileAsset(url: URL): Asset {
  return {
    type: url.pathname.endsWith('.css') ? 'text/css' : 'text/javascript',
    read: () => readFile(url, 'utf8'),
  };
}
