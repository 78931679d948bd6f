import { builtinEnvironments, type Environment } from 'vitest/runtime';

/** Globals that the page takes from Node instead of happy-dom: requests then cost a tenth. */
const ofNode = ['fetch', 'Request', 'Response', 'Headers', 'AbortController', 'AbortSignal', 'FormData'] as const;

/** happy-dom with Node's `fetch`, which also takes paths here. The set `openRequests` holds pending requests. */
export default {
  ...builtinEnvironments['happy-dom'],
  name: 'console',
  async setup(global, options) {
    const known = ofNode.map((name) => [name, Object.getOwnPropertyDescriptor(global, name)] as const);
    const environment = await builtinEnvironments['happy-dom'].setup(global, options);
    for (const [name, property] of known) if (property) Object.defineProperty(global, name, property);
    const { fetch } = global;
    const openRequests = new Set<Promise<unknown>>();
    global.openRequests = openRequests;
    global.fetch = (resource: string | Request | URL, init?: RequestInit) => {
      const target = typeof resource === 'string' ? new URL(resource, global.location.href).href : resource;
      const answer: Promise<Response> = fetch(target, init);
      openRequests.add(answer);
      void answer.catch(() => null).finally(() => openRequests.delete(answer));
      return answer;
    };
    // Text fields that grow measure their text again when fonts have loaded.
    global.document.fonts ??= new global.EventTarget();
    return environment;
  },
} satisfies Environment;
