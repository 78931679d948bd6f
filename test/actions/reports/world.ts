import { aWorld as aCube } from '../../facts/costs/world.ts';
import { fillInventory } from '../../facts/tags/world.ts';
import { storedFilters } from '../../../src/actions/reports/filters.ts';
import type { Config } from '../../../src/kit/config/config.ts';
import { fillCube } from '../../support/cube.ts';
import { runJobs } from '../../support/jobs.ts';
import { aWorld, type Answered } from '../../support/world.ts';

/** A report as returned by REST. */
export interface ReportBody {
  readonly id: string;
  readonly type: string;
  readonly format: string;
  readonly start_date: string;
  readonly end_date: string;
  readonly filters: Record<string, unknown>;
  readonly status: string;
  readonly failure_reason: string | null;
  readonly size_bytes: number | null;
  readonly sha256: string | null;
  readonly download_url: string;
  readonly created_by: string;
  readonly created_at: string;
  readonly expires_at: string;
}

/** Report filters as returned by the API: the given ones, and null for all others. */
export function filtersWith(given: Readonly<Record<string, unknown>> = {}): Record<string, unknown> {
  return { ...Object.fromEntries(filterNames.map((name) => [name, null])), ...given };
}

const filterNames = Object.keys(storedFilters({}));

/** Two days after the last charge. */
const start = new Date('2024-05-13T10:00:00.000Z');
export const accounts = {
  one: '01890000-0000-7000-8000-00000000000a',
  two: '01890000-0000-7000-8000-00000000000b',
} as const;
const msPerDay = 86_400_000;

/** A name that is a formula, markup and multiple table lines at once. */
export const hostile = '=HYPERLINK("http://x","<b>&|\u0007")';

/** The cube of the cost tests in Ana's organization, with resources, a Member (cleo) and a Viewer (dan) with full access, and
 *  an Admin (eve) with access to the first account only; with a manual clock. */
export async function aReportWorld(config: Partial<Config> = {}) {
  let now = start;
  const world = await aWorld({ config, clock: { now: () => now } });
  const { db, pool, factStore } = world.deps;
  const ana = await world.register({ email: 'ana@example.com' });
  const { organizationId } = await db.membership.findFirstOrThrow();
  await fillCube({ pool, factStore }, aCube(organizationId));
  await fillInventory(pool, organizationId, [
    { account: accounts.one, name: 'a', tags: { team: 'red' }, cost: '5' },
    { account: accounts.one, name: hostile, tags: {}, cost: '7.1234567' },
    { account: accounts.two, name: 'c', tags: {}, cost: '9' },
  ]);
  await pool.query(`INSERT INTO inventory_counts (organization_id, account_id, provider, resource_type, service, region, currency, is_gone, resources)
    SELECT organization_id, account_id, provider, resource_type, service, region, currency, false, count(*) FROM inventory_resources GROUP BY 1, 2, 3, 4, 5, 6, 7`);
  const tokens: Record<string, string> = { ana: ana.token };
  const { passwordHash } = await db.user.findFirstOrThrow();
  const login = async (name: string) => {
    const answer = await world.rest<{ access_token: string }>('POST', '/auth/login', {
      body: { email: `${name}@example.com`, password: ana.password },
    });
    tokens[name] = answer.body.access_token;
  };
  for (const [name, role, accountAccess] of [
    ['cleo', 'member', null],
    ['dan', 'viewer', null],
    ['eve', 'admin', [accounts.one]],
  ] as const) {
    const user = await db.user.create({ data: { email: `${name}@example.com`, name, passwordHash } });
    const access = { restricted: accountAccess !== null, accountAccess: [...(accountAccess ?? [])] };
    await db.membership.create({ data: { organizationId, userId: user.id, role, ...access } });
    await login(name);
  }
  const as = <Body = unknown>(name: string, method: string, path: string, body?: unknown) =>
    world.rest<Body>(method, path, { token: tokens[name] ?? '', ...(body === undefined ? {} : { body }) });
  const settle = () => runJobs(world.deps, world.jobs);
  return {
    ...world,
    organizationId,
    as,
    settle,
    /** Sends a GraphQL document. */
    graph: async <Data>(name: string, query: string) => (await world.gql<Data>(query, {}, tokens[name])).body,
    /** Creates a report with its file, and returns it. */
    make: async (body: object, name = 'ana'): Promise<ReportBody> => {
      const made = await as<ReportBody>(name, 'POST', '/reports', body);
      if (made.status !== 201) throw new Error(`${made.status} ${made.text}`);
      await settle();
      return (await as<ReportBody>(name, 'GET', `/reports/${made.body.id}`)).body;
    },
    /** Downloads a report's file with the given headers. */
    fetch: async (
      id: string,
      headers: Record<string, string> = {},
      { name = 'ana', method = 'GET', query = '' } = {},
    ) => {
      const response = await fetch(`${world.url}/api/v1/reports/${id}/download${query}`, {
        method,
        headers: { authorization: `Bearer ${tokens[name]}`, ...headers },
      });
      return { status: response.status, headers: response.headers, bytes: Buffer.from(await response.arrayBuffer()) };
    },
    passDays: async (days: number) => {
      now = new Date(now.getTime() + days * msPerDay);
      for (const name of Object.keys(tokens)) await login(name);
    },
  };
}

export type ReportWorld = Awaited<ReturnType<typeof aReportWorld>>;

/** Formats an error response as `status code: message`. */
export function refusal(answer: Answered): string {
  const { error } = answer.body as { error: { code: string; message: string; status: number } };
  return `${error.status} ${error.code}: ${error.message}`;
}
