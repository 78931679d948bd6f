import express, { type Handler } from 'express';
import { existsSync } from 'node:fs';
import helmet from 'helmet';
import path from 'node:path';
import sirv from 'sirv';

/** What `npm run build` writes. */
const built = path.resolve(import.meta.dirname, '../../dist/console');

/** Scripts come from our own files alone: none inline, none from elsewhere. Mantine writes the styles of its parts into the
 *  page, so those may be inline; the QR code of an authenticator app is an image in the page. */
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
    formAction: ["'self'"],
    frameAncestors: ["'none'"],
  },
});

/** Serves the console: its files, and its page for every path that a browser asks as a document, because the paths of its
 *  pages are the console's own. Programs that ask for something else get the 404 of the server. */
export function consolePages(): Handler {
  if (!existsSync(path.join(built, 'index.html'))) return notBuilt;
  const router = express.Router();
  // Files are looked up at each request, so that a console that is built again under a running server is served whole.
  const files = sirv(built, { dev: true, etag: true, gzip: true, brotli: true, setHeaders });
  router.use((req, res, next) => {
    if (req.method !== 'GET' && req.method !== 'HEAD') return next();
    // The files are small, and a range of a file that is being replaced would mix two.
    delete req.headers.range;
    res.vary('Accept');
    policy(req, res, () =>
      files(req, res, () => {
        if (!isNavigation(req.headers.accept)) return next();
        req.url = '/index.html';
        return files(req, res, next);
      }),
    );
  });
  return router;
}

/** Browsers ask for a page with `text/html` by name; programs with anything. */
function isNavigation(accept: string | undefined): boolean {
  return accept?.includes('text/html') === true;
}

/** Names of scripts and styles hold their content's hash, so they never change; the page that names them may at any time. */
function setHeaders(res: { setHeader(name: string, value: string): void }, file: string): void {
  const isHashed = file.startsWith('/assets/');
  res.setHeader('Cache-Control', isHashed ? 'public, max-age=31536000, immutable' : 'no-cache');
}

const notBuilt: Handler = (req, res, next) => {
  if (req.path !== '/' || req.method !== 'GET') return next();
  res.status(503).type('text').send('The console is not built: run `npm run build`. The API is at /docs\n');
};
