import express from 'express';
import helmet from 'helmet';
import { costsByService } from '../../src/facts/costs/run.ts';
import { listAccounts } from '../../src/ingest/accounts/store.ts';
import { readConfig } from '../../src/kit/config/config.ts';
import { open } from '../../src/start.ts';
import { openExchange } from '../../src/surfaces/http/exchange.ts';
import { createGate } from '../../src/surfaces/http/gate.ts';
import { createMetrics } from '../../src/surfaces/metrics.ts';
import { isUnchanged } from '../../src/surfaces/rest/etag.ts';
import { processCounters } from '../../src/tenancy/limits/counters.ts';
import { createLimiter } from '../../src/tenancy/limits/limiter.ts';
import { parseDay } from '../../src/kit/time/period.ts';

/** The reference for REST through Sofa: a careful hand-written Express server for two routes. It has the same middleware
 *  (request ids, log, metrics, security headers, limits, authentication), queries and responses, including headers, but
 *  not the layers of Sofa and GraphQL. */
const config = readConfig(process.env);
const { deps } = await open(config);
const gate = createGate(deps, createLimiter(config.rateLimits, processCounters(deps.clock)));
const app = express();
app.disable('etag');
app.disable('x-powered-by');
app.use(openExchange(deps, createMetrics(deps)));
app.use(helmet({ contentSecurityPolicy: { useDefaults: false, directives: { defaultSrc: ["'none'"] } } }));

async function viewerOf(req: express.Request, res: express.Response) {
  const viewer = await gate.identify(req);
  await gate.count(req, res, 'read');
  return viewer;
}

const unchanged = new Error('304');

app.get('/ready', (_req, res) => void res.json({ status: 'ok' }));
app.get('/api/v1/costs/by-service', async (req, res) => {
  const viewer = await viewerOf(req, res);
  if (!viewer) return void res.status(401).end();
  const days = {
    startDate: parseDay(String(req.query['start_date'])),
    endDate: parseDay(String(req.query['end_date'])),
  };
  const dependsOn = (key: string) => {
    if (isUnchanged(req, res, key, 'json')) throw unchanged;
  };
  const answer = await costsByService(deps, viewer.scope, days, { dependsOn }).catch((error: unknown) => {
    if (error === unchanged) return null;
    throw error;
  });
  if (answer === null) return void res.status(304).end();
  res.json({
    start_date: answer.startDate,
    end_date: answer.endDate,
    currency: answer.currency,
    cost_metric: answer.costMetric,
    total_cost: Number(answer.totalCost),
    complete_through: answer.completeThrough,
    unconverted: answer.unconverted.map((part) => ({ currency: part.currency, cost: Number(part.cost) })),
    groups: answer.groups.map((group) => ({
      service: group.service,
      service_category: group.serviceCategory,
      provider: group.provider,
      cost: Number(group.cost),
      percentage: group.percentage === null ? null : Number(group.percentage),
    })),
  });
});
const select = {
  id: true,
  name: true,
  provider: true,
  externalId: true,
  status: true,
  sync: true,
  dataFrom: true,
  dataTo: true,
  completeThrough: true,
  currency: true,
  settings: true,
  credentialsUpdatedAt: true,
  createdAt: true,
} as const;
app.get('/api/v1/accounts', async (req, res) => {
  const viewer = await viewerOf(req, res);
  if (!viewer) return void res.status(401).end();
  const perPage = Number(req.query['per_page'] ?? 20);
  const filter = {
    providers: null,
    statuses: ['connected'] as const,
    syncStatuses: null,
    orderBy: [{ createdAt: 'desc' as const }],
  };
  res.setHeader('Cache-Control', 'no-store');
  const { rows, total } = await listAccounts(deps.db, viewer.scope, filter, { skip: 0, take: perPage, select });
  res.json({
    data: rows.map((row) => ({
      id: row.id,
      name: row.name,
      provider: row.provider,
      external_id: row.externalId,
      status: row.status,
      sync_status: row.sync?.status ?? 'never',
      sync_progress:
        row.sync && (row.sync.status === 'queued' || row.sync.status === 'running')
          ? { phase: row.sync.phase, percent: row.sync.percent, rows: Number(row.sync.rows) }
          : null,
      last_synced_at: row.sync?.lastSyncedAt ?? null,
      last_sync_error: row.sync?.lastError ?? null,
      data_from: row.dataFrom?.toISOString().slice(0, 10) ?? null,
      data_to: row.dataTo?.toISOString().slice(0, 10) ?? null,
      complete_through: row.completeThrough?.toISOString().slice(0, 10) ?? null,
      currency: row.currency,
      settings: row.settings,
      credentials_updated_at: row.credentialsUpdatedAt,
      created_at: row.createdAt,
    })),
    pagination: { page: 1, per_page: perPage, total, total_pages: Math.ceil(total / perPage) },
  });
});
app.listen(config.port, config.host);
