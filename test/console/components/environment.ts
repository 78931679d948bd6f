import { builtinEnvironments, type Environment } from 'vitest/runtime';

/** Globals that the page takes from Node instead of happy-dom: requests then take a tenth of the time. */
const ofNode = ['fetch', 'Request', 'Response', 'Headers', 'AbortController', 'AbortSignal', 'FormData'] as const;

/** happy-dom with Node's `fetch`. Relative URLs are requests of the page: they send and keep cookies as a browser does, and
 *  the set `openRequests` holds the pending ones. */
export default {
  ...builtinEnvironments['happy-dom'],
  name: 'console',
  async setup(global, options) {
    const known = ofNode.map((name) => [name, Object.getOwnPropertyDescriptor(global, name)] as const);
    const environment = await builtinEnvironments['happy-dom'].setup(global, options);
    for (const [name, property] of known) if (property) Object.defineProperty(global, name, property);
    const { fetch } = global;
    const openRequests = new Set<Promise<unknown>>();
    const pageCookies = new Map<string, string>();
    Object.assign(global, { openRequests, pageCookies });
    global.fetch = (resource: string | Request | URL, init: RequestInit = {}) => {
      if (typeof resource !== 'string' || !resource.startsWith('/')) return fetch(resource, init);
      const answer = withCookies(pageCookies, init, (request) =>
        fetch(new URL(resource, global.location.href).href, request),
      );
      openRequests.add(answer);
      void answer.catch(() => null).finally(() => openRequests.delete(answer));
      return answer;
    };
    // Text fields that grow measure their text again when fonts have loaded.
    global.document.fonts ??= new global.EventTarget();
    return environment;
  },
} satisfies Environment;

/** Sends a request with the cookies, and keeps those that the response sets. */
async function withCookies(
  cookies: Map<string, string>,
  init: RequestInit,
  send: (init: RequestInit) => Promise<Response>,
): Promise<Response> {
  const headers = new Headers(init.headers);
  if (cookies.size > 0) headers.set('cookie', [...cookies].map(([name, value]) => `${name}=${value}`).join('; '));
  const response = await send({ ...init, headers });
  for (const cookie of response.headers.getSetCookie()) {
    const [, name = '', value = ''] = /^([^=]+)=([^;]*)/.exec(cookie) ?? [];
    if (value === '' || /;\s*max-age=0\b/i.test(cookie)) cookies.delete(name);
    else cookies.set(name, value);
  }
  return response;
}
