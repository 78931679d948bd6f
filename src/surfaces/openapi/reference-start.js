// Starts Scalar on the page. Everything that would reach another host is off: fonts, proxy, telemetry, AI.
Scalar.createApiReference('#reference', {
  url: '/api/v1/docs',
  customFetch: (input, init) => fetch(input, init),
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
