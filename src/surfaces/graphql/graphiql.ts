import type { Response } from 'express';
import { assetsOf, fileAsset, sendPage } from '../page.ts';
import { exampleTabs } from './examples.ts';

/** GraphiQL bundles Monaco (nine megabytes), so it is loaded on first use. All files come from the installed
 *  package, so the page works offline. */
export const graphiqlAssets = assetsOf({
  'graphiql.js': { type: 'text/javascript', read: async () => (await bundle()).js },
  'graphiql.css': { type: 'text/css', read: async () => (await bundle()).css },
  'editor.worker.js': { type: 'text/javascript', read: async () => (await bundle()).editorWorkerService },
  'json.worker.js': { type: 'text/javascript', read: async () => (await bundle()).jsonWorker },
  'graphql.worker.js': { type: 'text/javascript', read: async () => (await bundle()).graphqlWorker },
  'start.js': fileAsset(new URL('graphiql-start.js', import.meta.url)),
  'start.css': fileAsset(new URL('graphiql-start.css', import.meta.url)),
});

/** Sends the GraphiQL page: a token field above, examples in tabs below. */
export function graphiqlPage(res: Response): void {
  const options = JSON.stringify({ title: 'Costkeep GraphQL', tabs: exampleTabs }).replaceAll('<', '\\u003c');
  const head = `
    <link rel="stylesheet" href="/graphql/assets/graphiql.css" />
    <link rel="stylesheet" href="/graphql/assets/start.css" />`;
  const body = `
    <header class="bar">
      <strong>Costkeep GraphQL</strong>
      <label for="token">Access token</label>
      <input id="token" type="password" autocomplete="off" spellcheck="false" placeholder="Paste access_token" />
      <span id="state" role="status"></span>
      <nav><a href="/docs">REST reference</a></nav>
    </header>
    <noscript>GraphiQL needs JavaScript. The API itself does not: POST to /graphql.</noscript>
    <main id="graphiql"></main>
    <script id="options" type="application/json">${options}</script>
    <script src="/graphql/assets/graphiql.js"></script>
    <script src="/graphql/assets/start.js"></script>`;
  // Monaco writes styles and icons into the page, so those may be inline; scripts may not.
  const policy = {
    styleSrc: ["'self'", "'unsafe-inline'"],
    fontSrc: ["'self'", 'data:'],
    imgSrc: ["'self'", 'data:'],
    workerSrc: ["'self'"],
  };
  sendPage(res, { title: 'Costkeep GraphQL', head, body, policy });
}

function bundle() {
  return import('@graphql-yoga/render-graphiql/graphiql');
}
