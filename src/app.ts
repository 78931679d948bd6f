import express, { type ErrorRequestHandler, type Express } from 'express';
import type { Deps } from './kit/deps.ts';
import { consolePages } from './surfaces/console.ts';
import { firstVisit } from './surfaces/first-visit.ts';
import { cors } from './surfaces/http/cors.ts';
import { clientError, envelopeOf } from './surfaces/errors.ts';
import { refuseCrowd } from './surfaces/http/crowd.ts';
import { exchangeOf, openExchange } from './surfaces/http/exchange.ts';
import { createGate } from './surfaces/http/gate.ts';
import { requireHost } from './surfaces/http/host.ts';
import { securityHeaders } from './surfaces/http/headers.ts';
import { graphqlRouter } from './surfaces/graphql/router.ts';
import { createMetrics } from './surfaces/metrics.ts';
import { docsAssets, docsPage } from './surfaces/openapi/page.ts';
import { probes } from './surfaces/probes.ts';
import { noRoute } from './surfaces/rest/answer.ts';
import { exportPath, exportRoute } from './surfaces/rest/cost-export.ts';
import { uploadPath, uploadRoute } from './surfaces/rest/file-upload.ts';
import { downloadPath, downloadRoute } from './surfaces/rest/report-download.ts';
import { restApiOf, type RestApi } from './surfaces/rest/api.ts';
import { documentRoute, restRouter } from './surfaces/rest/router.ts';
import { buildSchema } from './surfaces/schema.ts';
import { backupMetrics } from './operation/backup/scheduled.ts';
import { processCounters, type Counters } from './tenancy/limits/counters.ts';
import { createLimiter } from './tenancy/limits/limiter.ts';

/** Builds the server's HTTP application: REST, GraphQL, their pages and the probes.
 *  @param counters for rate limiting; in-process by default
 *  @throws {Error} when the schema and its routes do not match */
export function createApp(deps: Deps, counters: Counters = processCounters(deps.clock)): Express {
  const { schema, api } = apis();
  const gate = createGate(deps, createLimiter(deps.config.rateLimits, counters));
  const metrics = createMetrics(deps, backupMetrics(deps));
  const app = express();
  app.disable('x-powered-by');
  // Routes that need an ETag set their own; hashing every response would waste time.
  app.disable('etag');
  app.set('trust proxy', deps.config.trustProxy);
  // REST parses the query string itself, strictly.
  app.set('query parser', false);
  app.use(openExchange(deps, metrics));
  app.use(refuseCrowd);
  app.use(securityHeaders(deps.config.publicUrl));
  app.use(probes(deps, metrics, counters));
  app.use(['/api/v1', '/graphql'], cors(deps.config.corsOrigins, gate));
  app.use(
    '/api/v1',
    restRouter(api, { deps, gate }, [
      { method: 'GET', path: '/docs', handler: documentRoute(api.document, gate) },
      { method: 'GET', path: downloadPath, handler: downloadRoute(deps, gate) },
      { method: 'GET', path: exportPath, handler: exportRoute(deps, gate) },
      { method: 'POST', path: uploadPath, handler: uploadRoute(deps, gate) },
    ]),
  );
  app.use('/graphql', graphqlRouter({ deps, gate, schema }));
  app.use(requireHost);
  // Not the console's page: its caller is a program with a wrong URL.
  app.use('/api', (req) => {
    throw noRoute(req);
  });
  app.get('/docs', docsPage(api.document));
  app.get('/docs/assets/:file', docsAssets);
  app.use(firstVisit(deps), consolePages());
  app.use((req, res) =>
    res
      .status(404)
      .type('text')
      .send(`Nothing is served at ${req.path.slice(0, 200)}; the API is at /api/v1\n`),
  );
  app.use(outerErrors(deps));
  return app;
}

/** Builds the schema and REST API once per process: they and their compiled operations are the same for every server. */
function apis(): { schema: ReturnType<typeof buildSchema>; api: RestApi } {
  if (!known) {
    const schema = buildSchema();
    known = { schema, api: restApiOf(schema) };
  }
  return known;
}

let known: ReturnType<typeof apis> | null = null;

/** Handles errors outside the two APIs, mostly malformed paths. */
function outerErrors(deps: Deps): ErrorRequestHandler {
  return (thrown: unknown, req, res, next) => {
    const error = clientError(thrown, { log: deps.log, requestId: exchangeOf(req).requestId });
    if (res.headersSent) return next(thrown);
    res.status(error.status).json(envelopeOf(error));
  };
}
