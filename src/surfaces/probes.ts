import type { RequestListener } from 'node:http';
import { Router } from 'express';
import type { UpgradeProgress } from '../ingest/upgrade/progress.ts';
import type { Deps } from '../kit/deps.ts';
import { AppError, fix, message } from '../kit/errors/errors.ts';
import { version } from '../kit/package.ts';
import { envelopeOf } from './errors.ts';
import { exchangeOf } from './http/exchange.ts';
import { essentialHeaders } from './http/headers.ts';
import type { Counters } from '../tenancy/limits/counters.ts';
import type { Metrics } from './metrics.ts';
import { readiness, type Check } from './readiness.ts';

/** Liveness, readiness and metrics for load balancers and Prometheus. Outside the API and not rate limited. An
 *  unavailable Redis does not make the server unready: limits are counted in the process meanwhile. */
export function probes(deps: Deps, metrics: Metrics, counters: Counters): Router {
  const router = Router();
  router.get('/health', (req, res) => {
    exchangeOf(req).route = 'health';
    res.setHeader('Cache-Control', 'no-store');
    res.json({ status: 'ok', version });
  });
  router.get('/ready', async (req, res) => {
    exchangeOf(req).route = 'ready';
    const limits: Check = counters.isDegraded?.() ? 'degraded' : 'ok';
    const checks = { ...(await readiness(deps)), limits };
    const isReady = Object.values(checks).every((check) => check !== 'failed');
    res.setHeader('Cache-Control', 'no-store');
    res.status(isReady ? 200 : 503).json({ status: isReady ? 'ok' : 'failed', checks });
  });
  router.get('/metrics', metrics.handler);
  return router;
}

/** Retry-After of responses during an upgrade, in seconds. */
const UPGRADE_RETRY_SECONDS = 10;

/** Answers all requests during a database upgrade: the server is alive, not ready, and serves nothing else. */
export function answerUpgrading(publicUrl: string, progress: () => UpgradeProgress): RequestListener {
  const headers = new Map(Object.entries(essentialHeaders(publicUrl)));
  return (req, res) => {
    const [path] = (req.url ?? '').split('?');
    const { done, of } = progress();
    res.setHeader('Cache-Control', 'no-store');
    res.setHeader('Content-Type', 'application/json; charset=utf-8');
    res.setHeaders(headers);
    if (path === '/health') return void res.end(JSON.stringify({ status: 'ok', version }));
    res.statusCode = 503;
    res.setHeader('Retry-After', UPGRADE_RETRY_SECONDS);
    res.end(JSON.stringify(path === '/ready' ? upgradeReadiness(done, of) : upgradeError(done, of)));
  };
}

function upgradeReadiness(done: number, of: number): object {
  const checks: Record<string, Check> = { database: 'ok', migrations: 'failed', queue: 'failed', limits: 'ok' };
  return { status: 'failed', checks, progress: { months_done: done, months_total: of } };
}

function upgradeError(done: number, of: number): object {
  return envelopeOf(
    new AppError(
      'SERVICE_UNAVAILABLE',
      message`The server is upgrading its database (${done} of ${of} billing months are converted)${fix}try again later`,
    ),
  );
}
