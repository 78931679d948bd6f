import type { Response } from 'express';
import helmet from 'helmet';
import { escapeHtml } from '../kit/text/html.ts';

/** Sources of a content security policy, besides our own origin. */
type Policy = Readonly<Partial<Record<'styleSrc' | 'fontSrc' | 'imgSrc' | 'workerSrc' | 'scriptSrc', string[]>>>;

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
