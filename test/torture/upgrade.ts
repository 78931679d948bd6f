import { setTimeout as sleep } from 'node:timers/promises';
import { isDeepStrictEqual } from 'node:util';
import pg from 'pg';
import { startEmbedded } from '../../src/kit/database/embedded/start.ts';
import { inSession } from '../../src/kit/database/open.ts';
import { openLog } from '../../src/kit/log.ts';
import { fixtureOrganizations } from '../ingest/upgrade/bills.ts';
import { fillPreviousVersion } from '../ingest/upgrade/previous-version.ts';
import { newSums, oldSums } from '../ingest/upgrade/sums.ts';
import { freePort } from '../support/free-port.ts';
import type { Attack, Context } from './attack.ts';
import { Installation, onInstallation } from './installation.ts';
import { killProcess, processesOf } from './processes.ts';

const clients = 16;

/** Upgrades the database of the previous version while clients call the server and it is killed, and expects the same sums,
 *  and only expected answers. */
export const upgrade: Attack = async (context) => {
  for (let round = 0; round === 0 || context.hasTime(); round++) {
    const site = new Installation(context, { PORT: String(await freePort()) });
    await onInstallation(site, () => upgradeOnce(context, site));
  }
};

async function upgradeOnce(context: Context, site: Installation): Promise<void> {
  const { findings, random, show } = context;
  show('preparing the database of the previous version');
  const embedded = await startEmbedded({ dataDir: site.dataDir, log: openLog('silent') });
  const connection = inSession(embedded.connection);
  const query = <Row extends object>(sql: string) => queryOn<Row>(connection, sql);
  await fillPreviousVersion(connection);
  const before = await oldSums({ query });
  await embedded.leave();
  const over = new AbortController();
  const load = Promise.all(Array.from({ length: clients }, () => callWhile(context, site, over.signal)));
  try {
    for (let kills = random.below(4); kills > 0; kills--) await killDuring(context, site);
    show('finishing the upgrade');
    await site.start();
    await untilReady(site);
    await expectAnswers(context, site);
    if (!isDeepStrictEqual(await newSums({ query, dataDir: site.dataDir }, 'day'), before))
      findings.fault('the sums after the upgrade differ from those before');
  } finally {
    over.abort();
    await load;
  }
  findings.count('upgrades');
}

async function queryOn<Row extends object>(connection: pg.ClientConfig, sql: string): Promise<Row[]> {
  const client = new pg.Client(connection);
  client.on('error', () => {});
  await client.connect();
  try {
    return (await client.query<Row>(sql)).rows;
  } finally {
    await client.end();
  }
}

const paths = ['/health', '/ready', '/api/v1/org', '/api/v1/costs/summary', '/graphql', '/'];

const expected = new Set([0, 200, 400, 401, 403, 503]);

/** Calls the server continuously without a token, and expects the answers of an upgrade or the usual ones. */
async function callWhile({ findings, random }: Context, site: Installation, signal: AbortSignal): Promise<void> {
  while (!signal.aborted) {
    const at = random.pick(paths);
    const { status, text, ms } = await site.request(at);
    if (status === 0) await sleep(20);
    else findings.measure('requests during upgrades', ms);
    if (!expected.has(status)) findings.fault(`${at} answered ${status}: ${text}`);
    if (at === '/health' && status !== 0 && status !== 200) findings.fault(`/health answered ${status}: ${text}`);
  }
}

/** Kills everything, or the server alone, at a random moment of the upgrade. */
async function killDuring({ findings, random, show }: Context, site: Installation): Promise<void> {
  show('killing an upgrade');
  const started = site.start().catch(() => {});
  await sleep(500 + 4_000 * random.next());
  const isMachine = random.next() < 0.5;
  for (const { pid, isDatabase } of processesOf(site.base)) if (isMachine || !isDatabase) killProcess(pid);
  await started;
  site.server = null;
  findings.count(isMachine ? 'kills of everything' : 'kills of the server');
}

async function untilReady(site: Installation): Promise<void> {
  for (let polls = 0; polls < 600; polls++) {
    if ((await site.request('/ready')).status === 200) return;
    await sleep(100);
  }
  throw new Error('the upgraded server is not ready after a minute');
}

/** Expects users of the previous version to sign in and see their accounts. */
async function expectAnswers({ findings }: Context, site: Installation): Promise<void> {
  for (const { person, accounts } of fixtureOrganizations) {
    const { email, password } = person;
    const { access_token: token } = await site.must<{ access_token: string }>('/auth/login', {
      method: 'POST',
      body: { email, password },
      token: null,
    });
    const { data } = await site.must<{ data: object[] }>('/accounts', { token });
    if (data.length !== accounts.length) findings.fault(`${email} has ${data.length} accounts, not ${accounts.length}`);
    await site.must('/costs/by-service?start_date=2025-01-01&end_date=2026-06-30', { token });
    findings.count('organizations that were upgraded');
  }
}
