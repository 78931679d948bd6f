import type { Response } from 'express';
import helmet from 'helmet';
import { escapeHtml } from '../kit/text/html.ts';

/** Sources of a content security policy, beside our own origin. */
type Policy = Readonly<Partial<Record<'styleSrc' | 'fontSrc' | 'imgSrc' | 'workerSrc' | 'scriptSrc', string[]>>>;

/** An HTML page of the server's own. */
export interface Page {
  readonly title: string;
  /** HTML inside `head`. */
  readonly head: string;
  /** HTML inside `body`. */
  readonly body: string;
  readonly policy?: Policy;
}

/** Answers with a page that loads nothing from elsewhere. */
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
