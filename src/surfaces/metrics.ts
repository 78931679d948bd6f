import { timingSafeEqual } from 'node:crypto';
import type { Request, RequestHandler } from 'express';
import { collectDefaultMetrics, Gauge, Histogram, type Metric, Registry } from 'prom-client';
import type { Deps } from '../kit/deps.ts';
import { version } from '../kit/package.ts';
import { createDomainMetrics } from './domain-metrics/metrics.ts';

/** One request, for the metrics. */
export interface Observation {
  readonly method: string;
  readonly route: string;
  readonly status: number;
  readonly durationMs: number;
}

/** Prometheus metrics. */
export interface Metrics {
  observe(observation: Observation): void;
  /** `GET /metrics`: with METRICS_TOKEN as the bearer token, or from loopback if it is not set. */
  readonly handler: RequestHandler;
}

/** Measures requests and the process. Uses a separate registry, so that two servers in one process do not share
 *  metrics.
 *  @param others metrics of other areas */
export function createMetrics(
  deps: Pick<Deps, 'config' | 'engine' | 'pool' | 'log' | 'clock'>,
  others: readonly Metric[] = [],
): Metrics {
  const registry = new Registry();
  collectDefaultMetrics({ register: registry });
  for (const metric of [...deps.engine.metrics, ...others]) registry.registerMetric(metric);
  const domain = createDomainMetrics(deps);
  for (const metric of domain.all) registry.registerMetric(metric);
  const build = { name: 'costkeep_build_info', help: 'Version of the server; the value is always 1' };
  new Gauge({ ...build, labelNames: ['version'], registers: [registry] }).set({ version }, 1);
  const durations = new Histogram({
    name: 'http_request_duration_seconds',
    help: 'Time from the request headers to the end of the response',
    labelNames: ['method', 'route', 'status'],
    buckets: [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10],
    registers: [registry],
  });
  return {
    observe: ({ method, route, status, durationMs }) => {
      durations.observe({ method, route, status: String(status) }, durationMs / 1000);
    },
    handler: async (req, res, next) => {
      if (!mayRead(req, deps.config.metricsToken)) return next();
      await domain.refresh();
      res.type(registry.contentType).send(await registry.metrics());
    },
  };
}

/** Behind a proxy on the same machine every client appears to be local, so a forwarded request never counts as
 *  local. */
function mayRead(req: Request, token: string | null): boolean {
  if (token !== null) return isSame(req.get('authorization') ?? '', `Bearer ${token}`);
  const isLoopback = /^(127\.|::1$|::ffff:127\.)/.test(req.socket.remoteAddress ?? '');
  return isLoopback && req.get('x-forwarded-for') === undefined && req.get('forwarded') === undefined;
}

function isSame(given: string, expected: string): boolean {
  const [a, b] = [Buffer.from(given), Buffer.from(expected)];
  return a.length === b.length && timingSafeEqual(a, b);
}
