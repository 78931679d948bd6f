// Starts GraphiQL with the token of the bar in every request. The token lives as long as the tab.
'use strict';
(() => {
  const STORE = 'costkeep.token';
  const input = document.getElementById('token');
  const state = document.getElementById('state');
  const { title, tabs } = JSON.parse(document.getElementById('options').textContent);

  input.value = sessionStorage.getItem(STORE) ?? '';
  const show = () => {
    state.textContent =
      input.value === ''
        ? 'Not signed in: run the Login tab and paste its accessToken'
        : 'Sent as Authorization: Bearer';
  };
  input.addEventListener('input', () => {
    sessionStorage.setItem(STORE, input.value.trim());
    show();
  });
  show();

  const send = window.fetch.bind(window);
  window.fetch = (resource, init = {}) => {
    const url = new URL(resource instanceof Request ? resource.url : String(resource), location.href);
    const token = input.value.trim();
    if (token === '' || url.origin !== location.origin || url.pathname !== '/graphql') return send(resource, init);
    const headers = new Headers(init.headers ?? (resource instanceof Request ? resource.headers : undefined));
    if (!headers.has('authorization')) headers.set('authorization', `Bearer ${token}`);
    return send(resource, { ...init, headers });
  };

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
    shouldPersistHeaders: false,
    logo: '',
  });
})();
