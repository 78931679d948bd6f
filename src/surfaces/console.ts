import type { Handler, Request, Response } from 'express';
import { existsSync } from 'node:fs';
import helmet from 'helmet';
import path from 'node:path';
import { packageFile } from '../kit/package.ts';

/** Output folder of `npm run build`. */
const built = packageFile('dist/console');

/** Only scripts from our own files are allowed: none inline, none from other origins. Styles may be inline because
 *  Mantine writes them into the page; the QR code for authenticator apps is an image in the page. */
const policy = helmet.contentSecurityPolicy({
  useDefaults: false,
  directives: {
    defaultSrc: ["'none'"],
    scriptSrc: ["'self'"],
    styleSrc: ["'self'", "'unsafe-inline'"],
    imgSrc: ["'self'", 'data:'],
    fontSrc: ["'self'"],
    connectSrc: ["'self'"],
    baseUri: ["'none'"],
    objectSrc: ["'none'"],
    formAction: ["'self'"],
    frameAncestors: ["'none'"],
  },
});

/** Names of files that the build writes; any other name is ignored. */
const fileName = /^\/(?:assets\/)?[\w.-]+$/;

/** Precompressed copies that the build writes next to each text file, smallest first. */
const compressed = [
  ['br', '.br'],
  ['gzip', '.gz'],
] as const;

/** Serves the console: its files, and its page for every path requested as a document, because routing happens in
 *  the console. Other requests get the server's 404.
 *  @param folder output folder of `npm run build` */
export function consolePages(folder = built): Handler {
  if (!existsSync(path.join(folder, 'index.html'))) return notBuilt;
  return async (req, res, next) => {
    if (req.method !== 'GET' && req.method !== 'HEAD') return next();
    res.vary('Accept');
    res.vary('Accept-Encoding');
    policy(req, res, () => undefined);
    return (await sendFirst(req, res, folder)) ? undefined : next();
  };
}

/** Sends the requested file, otherwise the page.
 *  @returns whether a file was found. There may be none for a moment while the console is rebuilt under a running
 *  server */
async function sendFirst(req: Request, res: Response, folder: string): Promise<boolean> {
  const asked = req.path === '/' ? '/index.html' : req.path;
  const names = isNavigation(req.headers.accept) ? [asked, '/index.html'] : [asked];
  for (const name of names.filter((one) => fileName.test(one))) {
    for (const [encoding, ending] of compressed)
      if (req.acceptsEncodings(encoding) && (await send(res, name, { folder, encoding, ending }))) return true;
    if (await send(res, name, { folder })) return true;
  }
  return false;
}

/** Which copy of a file to send. */
interface Sent {
  readonly folder: string;
  readonly encoding?: string;
  readonly ending?: string;
}

/** Sends one file; false if it does not exist. */
function send(res: Response, name: string, as: Sent): Promise<boolean> {
  const { promise, resolve } = Promise.withResolvers<boolean>();
  // Names of scripts and styles contain a content hash, so they never change; the page that references them may
  // change at any time.
  const isHashed = name.startsWith('/assets/');
  const headers = {
    'Content-Type': mime(path.extname(name)),
    'Cache-Control': isHashed ? 'public, max-age=31536000, immutable' : 'no-cache',
    ...(as.encoding && { 'Content-Encoding': as.encoding }),
  };
  const options = { root: as.folder, cacheControl: false, acceptRanges: false, headers };
  res.sendFile(`${name}${as.ending ?? ''}`, options, (error) => {
    const isMissing = error !== undefined && !res.headersSent;
    if (isMissing) for (const header of Object.keys(headers)) res.removeHeader(header);
    resolve(!isMissing);
  });
  return promise;
}

function mime(ending: string): string {
  const types: Readonly<Record<string, string>> = {
    '.html': 'text/html; charset=utf-8',
    '.js': 'text/javascript; charset=utf-8',
    '.css': 'text/css; charset=utf-8',
    '.svg': 'image/svg+xml',
    '.woff2': 'font/woff2',
  };
  return types[ending] ?? 'application/octet-stream';
}

/** Browsers accept `text/html` explicitly when they navigate; programs usually accept anything. */
function isNavigation(accept: string | undefined): boolean {
  return accept?.includes('text/html') === true;
}

const notBuilt: Handler = (req, res, next) => {
  if (req.path !== '/' || req.method !== 'GET') return next();
  res.status(503).type('text').send('The console is not built: run `npm run build`. The API reference is at /docs\n');
};
