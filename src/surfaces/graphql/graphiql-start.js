// Starts GraphiQL and sends the token from the bar with every request. The token is kept only as long as the page is open.
'use strict';
(() => {
  const input = document.getElementById('token');
  const state = document.getElementById('state');
  const { title, tabs } = JSON.parse(document.getElementById('options').textContent);

  const use = (token) => {
    const signedIn = 'Sent as Authorization: Bearer';
    state.textContent = token === '' ? 'Not signed in: run the Login tab, or paste a token' : signedIn;
  };
  input.addEventListener('input', () => use(input.value.trim()));
  use(input.value.trim());

  // A login that is run on the page sets its token.
  const keepLogin = async (response) => {
    const { data } = await response.json();
    const token = (data?.login ?? data?.register ?? data?.refresh)?.accessToken;
    if (!token) return;
    input.value = token;
    use(token);
  };

  const send = window.fetch.bind(window);
  window.fetch = async (resource, init = {}) => {
    const url = new URL(resource instanceof Request ? resource.url : String(resource), location.href);
    if (url.origin !== location.origin || url.pathname !== '/graphql') return send(resource, init);
    const headers = new Headers(init.headers ?? (resource instanceof Request ? resource.headers : undefined));
    const token = input.value.trim();
    if (token !== '' && !headers.has('authorization')) headers.set('authorization', `Bearer ${token}`);
    const response = await send(resource, { ...init, headers });
    keepLogin(response.clone()).catch(() => undefined);
    return response;
  };

  // GraphiQL stores its tabs and their history in the browser: remove secrets before they are stored.
  const secret = '[\\w-]*(?:password|token|secret|code|credential|account_json|private_key|access_key)[\\w-]*';
  const spoken = new RegExp(`("${secret}"\\s*:\\s*|\\b${secret}\\s*:\\s*)"(?:[^"\\\\]|\\\\.)*"`, 'gi');
  const secretName = new RegExp(`^${secret}$`, 'i');
  const withoutSecrets = (text) => text.replace(spoken, '$1""');
  const keep = Storage.prototype.setItem;
  Storage.prototype.setItem = function (key, value) {
    const isGraphiql = this === localStorage && key.startsWith('graphiql:');
    const clean = (name, item) => (typeof item !== 'string' ? item : secretName.test(name) ? '' : withoutSecrets(item));
    const cleaned = () => {
      try {
        return JSON.stringify(JSON.parse(value, clean));
      } catch {
        return withoutSecrets(String(value));
      }
    };
    keep.call(this, key, isGraphiql ? cleaned() : value);
  };

  const openTab = () => {
    try {
      const kept = JSON.parse(localStorage.getItem('graphiql:tabState'));
      return kept.tabs[kept.activeTabIndex];
    } catch {
      return undefined;
    }
  };
  const open = openTab() ?? tabs[0];

  self.MonacoEnvironment = {
    globalAPI: false,
    getWorkerUrl: (_module, label) =>
      `/graphql/assets/${label === 'json' || label === 'graphql' ? label : 'editor'}.worker.js`,
  };
  window.YogaGraphiQL.renderYogaGraphiQL(document.getElementById('graphiql'), {
    endpoint: '/graphql',
    title,
    defaultTabs: tabs,
    defaultQuery: tabs[0].query,
    // GraphiQL finds the open tab by these. Without them, it would open the first tab without its variables, and add a tab
    // on each reload.
    query: open.query,
    variables: open.variables,
    // By default, GraphiQL writes the query into the URL, and a reload of that URL is an API request.
    onEditQuery: () => {},
    shouldPersistHeaders: false,
    logo: '',
  });
})();
