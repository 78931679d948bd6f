// Starts Scalar on the page. Everything that would reach another host is off: fonts, proxy, telemetry, AI.
let isLoaded = false;

Scalar.createApiReference('#reference', {
  url: '/api/v1/docs',
  customFetch: async (input, init) => {
    const response = await fetch(input, init);
    if (isLoaded) return response;
    isLoaded = true;
    return Response.json(withOptionalOff(await response.json()));
  },
  proxyUrl: '',
  telemetry: false,
  withDefaultFonts: false,
  agent: { disabled: true },
  mcp: { disabled: true },
  showDeveloperTools: 'never',
  hideClientButton: true,
  documentDownloadType: 'json',
  persistAuth: false,
  showOperationId: true,
  defaultOpenAllTags: false,
  operationTitleSource: 'path',
  defaultHttpClient: { targetKey: 'shell', clientKey: 'curl' },
  authentication: { preferredSecurityScheme: 'accessToken' },
});

/** Leaves optional query parameters out of curl examples and of requests that are tried, until a reader ticks them: all of
 *  them together match nothing in the reader's own data. */
function withOptionalOff(document) {
  const operations = Object.values(document.paths).flatMap((item) => Object.values(item));
  for (const parameter of operations.flatMap(({ parameters = [] }) => parameters)) {
    if (parameter.in !== 'query' || parameter.required || !('example' in parameter)) continue;
    parameter.examples = { default: { value: parameter.example, 'x-disabled': true } };
    delete parameter.example;
  }
  return document;
}
