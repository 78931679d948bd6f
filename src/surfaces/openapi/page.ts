import type { RequestHandler } from 'express';
import { assetsOf, fileAsset, sendPage } from '../page.ts';
import type { OpenApiDocument } from './document.ts';

/** Files of the page. Scalar's script comes from an installed package, so the page works offline. */
export const docsAssets = assetsOf({
  'prepare.js': fileAsset(new URL('reference-prepare.js', import.meta.url)),
  'scalar.js': { type: 'text/javascript', read: scalarScript },
  'start.js': fileAsset(new URL('reference-start.js', import.meta.url)),
  'start.css': fileAsset(new URL('reference-start.css', import.meta.url)),
});

/** Serves the document as a page rendered by Scalar: search, examples for curl and other clients, and a form that
 *  sends requests to this server. */
export function docsPage(document: OpenApiDocument): RequestHandler {
  const head = '\n    <link rel="stylesheet" href="/docs/assets/start.css" />';
  const body = `
    <noscript>The reference needs JavaScript. The document itself does not: <a href="/api/v1/docs">/api/v1/docs</a>.</noscript>
    <main id="reference"></main>
    <script src="/docs/assets/prepare.js"></script>
    <script src="/docs/assets/scalar.js"></script>
    <script src="/docs/assets/start.js"></script>`;
  // Scalar writes styles into the page, so those may be inline; scripts may not, and nothing is loaded from other
  // origins.
  const policy = { styleSrc: ["'self'", "'unsafe-inline'"], fontSrc: ["'self'", 'data:'] };
  return (_req, res) => sendPage(res, { title: document.info.title, head, body, policy });
}

/** The argument that a Fastify plugin passes to `fastify.route`. */
interface PluginRoute {
  readonly url: string;
  readonly handler: (request: object, reply: { header: () => object; send: (body: string) => void }) => void;
}

/** The part of the Fastify plugin interface used here. */
type Plugin = (
  host: { route: (route: PluginRoute) => void },
  options: { configuration: { url: string } },
  done: () => void,
) => void;

/** Scalar's script. `@scalar/api-reference` includes it as a file, but installs 240 MB of dependencies; Scalar's
 *  Fastify plugin embeds it and has few dependencies. It is loaded on the first request and registered without
 *  Fastify. */
async function scalarScript(): Promise<string> {
  const { default: plugin } = await import('@scalar/fastify-api-reference');
  const routes: PluginRoute[] = [];
  const register = plugin as unknown as Plugin;
  register({ route: (route) => void routes.push(route) }, { configuration: { url: '/api/v1/docs' } }, () => undefined);
  const route = routes.find(({ url }) => url.endsWith('.js'));
  if (!route) throw new Error('@scalar/fastify-api-reference no longer serves a script');
  return new Promise((resolve) => {
    const reply = { header: () => reply, send: resolve };
    route.handler({}, reply);
  });
}
