import { createServer, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { describe, expect, it, onTestFinished } from 'vitest';
import { download } from '../../../../src/kit/network/download.ts';
import type { Deps } from '../../../../src/kit/deps.ts';
import { setExchangeRates, type RateInput } from '../../../../src/tenancy/org/exchange-rates.ts';
import { updateOrganization } from '../../../../src/tenancy/org/organization.ts';
import { fetchExchangeRates, queueMissingRates } from '../../../../src/tenancy/org/rates/fetch.ts';
import { listExchangeRates } from '../../../../src/tenancy/org/store.ts';
import { fillCube, type LineItem } from '../../../support/cube.ts';
import { origin, tenancyWorld } from '../../support.ts';

// Means per euro: USD 1.15 in October and 1.2 so far in November, JPY 150 and 165.
const october = ['2026-10-30,1.2,150.5', '2026-10-01,1.1,149.5', '2026-09-30,1,150'];
const november = ['2026-11-03,1.3,160', '2026-11-02,1.1,170'];
const documentOf = (...lines: string[]) => ['Date,USD,JPY', ...lines].join('\n');
const document = documentOf(...november, ...october);

/** A server with the given response, which counts its requests. */
async function aSource(respond: (response: ServerResponse) => void) {
  const source = { url: '', requests: 0, respond };
  const server = createServer((_request, response) => {
    source.requests += 1;
    source.respond(response);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => void server.close());
  source.url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/rates.csv`;
  return source;
}

/** An organization in USD with bills in EUR and JPY since August, whose rates can be downloaded. */
async function aWorld({ isDefault = true, text = document } = {}) {
  const world = await tenancyWorld();
  const source = await aSource((response) => response.end(text));
  const deps: Deps = { ...world.deps, config: { ...world.deps.config, exchangeRates: { url: source.url, isDefault } } };
  const { viewer } = await world.register('ana');
  const { scope } = viewer;
  const { organizationId } = scope;
  const account = { id: '01890000-0000-7000-8000-00000000000a', name: 'one', completeThrough: '2026-11-18' as const };
  const lines = [aLine(account.id, '2026-10-05', 'EUR'), aLine(account.id, '2026-11-05', 'JPY')];
  await fillCube(deps, { organizationId, currency: 'USD', accounts: [account], lines, rates: [], identifiers: [] });
  await deps.pool.query(`UPDATE billing_periods SET totals =
    jsonb_build_array(jsonb_build_object('currency', CASE period WHEN '2026-10-01' THEN 'EUR' ELSE 'JPY' END))`);
  const actor = { organizationId, userId: viewer.userId, email: viewer.email, ...origin };
  const row = () => deps.db.organization.findUniqueOrThrow({ where: { id: organizationId } });
  return {
    world,
    deps,
    source,
    scope,
    fetch: () => fetchExchangeRates(deps),
    set: (rates: RateInput[]) => setExchangeRates(deps, scope, actor, rates),
    update: (input: Parameters<typeof updateOrganization>[3]) => updateOrganization(deps, viewer, actor, input),
    list: async () =>
      (await listExchangeRates(deps, scope)).map(
        (one) =>
          `${one.month} ${one.from} ${one.to} ${one.rate} ${one.source}${one.isProvisional ? ' provisional' : ''}`,
      ),
    version: async () => (await row()).ratesVersion,
    entries: async () =>
      (await world.audit(organizationId)).filter(({ action }) => action === 'exchange_rates_changed'),
  };
}

function aLine(account: string, date: LineItem['date'], currency: string): LineItem {
  const money = { billed: 1n, effective: 1n, list: 1n, contracted: 1n };
  const names = { provider: 'aws', service: 'Compute', serviceCategory: 'Compute', region: 'eu', subAccount: '1' };
  const billingPeriod = date.slice(0, 7) as LineItem['billingPeriod'];
  return { account, billingPeriod, date, currency, category: 'usage', tags: {}, ...names, ...money };
}

const stored = [
  '2026-11 EUR USD 1.2 ecb provisional',
  '2026-11 JPY USD 0.007272727273 ecb provisional',
  '2026-10 EUR USD 1.15 ecb',
];

describe('fetchExchangeRates', () => {
  it('stores the average rates of the currencies of bills, from their first month on', async () => {
    const { world, fetch, list, version, entries, source } = await aWorld();
    await fetch();
    expect(await list()).toEqual(stored);
    expect([await version(), source.requests]).toEqual([1, 1]);
    expect(world.jobs.map(({ task }) => task)).toEqual(['check_budgets', 'check_alert_rules']);
    expect(await entries()).toMatchObject([{ actorEmail: null, details: { source: 'ecb', set_count: 3 } }]);
  });

  it('changes nothing if the rates are the same', async () => {
    const { fetch, version, entries } = await aWorld();
    await fetch();
    await fetch();
    expect([await version(), (await entries()).length]).toEqual([1, 1]);
  });

  it('makes the rate of a month final once the document has a later day', async () => {
    const { fetch, list, source } = await aWorld();
    await fetch();
    source.respond = (response) =>
      response.end(documentOf('2026-12-01,2,100', '2026-11-30,1.5,150', ...november, ...october));
    await fetch();
    const final = ['2026-11 EUR USD 1.3 ecb', '2026-11 JPY USD 0.008125 ecb', '2026-10 EUR USD 1.15 ecb'];
    expect(await list()).toEqual([
      '2026-12 EUR USD 2 ecb provisional',
      '2026-12 JPY USD 0.02 ecb provisional',
      ...final,
    ]);
    // An outdated copy of the document does not change final rates.
    source.respond = (response) => response.end(document);
    await fetch();
    expect((await list()).slice(2)).toEqual(final);
  });

  it('never replaces an entered rate, whose removal restores the downloaded one', async () => {
    const { fetch, set, list } = await aWorld();
    await set([{ month: '2026-10', from: 'EUR', to: 'USD', rate: 3 }]);
    await fetch();
    expect((await list()).at(-1)).toBe('2026-10 EUR USD 3 typed');
    await set([{ month: '2026-11', from: 'EUR', to: 'USD', rate: 4 }]);
    expect((await list())[0]).toBe('2026-11 EUR USD 4 typed');
    await set([
      { month: '2026-10', from: 'EUR', to: 'USD', rate: null },
      { month: '2026-11', from: 'EUR', to: 'USD', rate: null },
    ]);
    expect(await list()).toEqual(stored);
  });

  it('converts to the currencies of budgets, too', async () => {
    const { fetch, list, deps, scope } = await aWorld();
    const { organizationId } = scope;
    const times = { createdAt: deps.clock.now(), updatedAt: deps.clock.now() };
    const { userId } = await deps.db.membership.findFirstOrThrow({ where: { organizationId } });
    await deps.db.budget.create({
      data: { organizationId, name: 'Euros', amount: 1, currency: 'EUR', createdById: userId, ...times },
    });
    await fetch();
    expect(await list()).toContain('2026-11 JPY EUR 0.006060606061 ecb provisional');
  });

  it('sends no request unless an organization has turned it on and needs a rate', async () => {
    const { fetch, list, update, source, world, deps } = await aWorld({ isDefault: false });
    await fetch();
    expect([source.requests, await list()]).toEqual([0, []]);
    await update({ automaticExchangeRates: true });
    expect(world.jobs).toMatchObject([{ task: 'fetch_exchange_rates' }]);
    await fetch();
    expect([source.requests, await list()]).toEqual([1, stored]);
    await update({ automaticExchangeRates: false });
    await deps.pool.query('UPDATE organizations SET automatic_exchange_rates = true');
    await deps.pool.query('DELETE FROM billing_periods');
    await fetch();
    expect(source.requests).toBe(1);
    const changes = (await world.audit()).filter(({ action }) => action === 'settings_changed');
    expect(changes.map(({ details }) => details)).toEqual([
      { automatic_exchange_rates: { from: null, to: true } },
      { automatic_exchange_rates: { from: true, to: false } },
    ]);
  });

  it('cannot be turned on if the operator disables it', async () => {
    const world = await tenancyWorld({ EXCHANGE_RATES: 'forbidden' });
    const { viewer } = await world.register('ana');
    const actor = {
      organizationId: viewer.scope.organizationId,
      userId: viewer.userId,
      email: viewer.email,
      ...origin,
    };
    await expect(updateOrganization(world.deps, viewer, actor, { automaticExchangeRates: true })).rejects.toThrow(
      /^automatic_exchange_rates cannot be true, because the operator forbids downloads/,
    );
    await world.deps.pool.query('UPDATE organizations SET automatic_exchange_rates = true');
    await fetchExchangeRates(world.deps);
    expect(await listExchangeRates(world.deps, viewer.scope)).toEqual([]);
  });

  it.each([
    [
      'a malformed document',
      (response: ServerResponse) => response.end(document.replace('170', 'x')),
      '"x" is not a rate',
    ],
    ['an error page', (response: ServerResponse) => response.writeHead(503).end('down'), 'it returned 503'],
    [
      'a redirect',
      (response: ServerResponse) => response.writeHead(302, { location: 'http://169.254.169.254/' }).end(),
      'it returned 302',
    ],
    ['a closed connection', (response: ServerResponse) => response.destroy(), 'The download from 127.0.0.1:'],
  ])('stores nothing from %s', async (_name, respond, reason) => {
    const { fetch, list, source, version } = await aWorld();
    source.respond = respond;
    await expect(fetch()).rejects.toThrow(reason);
    expect([await list(), await version()]).toEqual([[], 0]);
  });
});

describe('queueMissingRates', () => {
  it('queues a download only if a pair of currencies has no rate', async () => {
    const { deps, scope, world, fetch } = await aWorld();
    await queueMissingRates(deps, scope);
    expect(world.jobs).toEqual([{ task: 'fetch_exchange_rates', payload: { organizationId: scope.organizationId } }]);
    await fetch();
    world.jobs.length = 0;
    await queueMissingRates(deps, scope);
    expect(world.jobs).toEqual([]);
  });
});

describe('download', () => {
  const limits = { maxBytes: 1000, timeoutMs: 300, allowsPrivate: true };

  it('returns the document', async () => {
    const { url } = await aSource((response) => response.end('text'));
    expect((await download(url, limits)).toString()).toBe('text');
  });

  it('rejects a larger document', async () => {
    const { url } = await aSource((response) => response.end('x'.repeat(1001)));
    await expect(download(url, limits)).rejects.toThrow(/^The download from 127\.0\.0\.1:\d+ failed: /);
  });

  it('rejects a private address unless it is allowed', async () => {
    const source = await aSource((response) => response.end('text'));
    await expect(download(source.url, { ...limits, allowsPrivate: false })).rejects.toThrow('not public');
    expect(source.requests).toBe(0);
  });

  it('gives up on a server that does not finish in time', async () => {
    const { url } = await aSource((response) => void response.write('begin'));
    await expect(download(url, limits)).rejects.toThrow('did not respond in time');
  });
});
