import { join } from 'node:path';
import { connections, measureRequests, type Contender } from './requests.ts';
import { freePort, load, register, rest, start, type Running } from './server.ts';
import { printTable } from './measure.ts';
import type { Goal } from './goals.ts';

const budgets = 20;
const columns = 'id name amount currency period accountId createdById createdAt';
const flat = `{ budgets(perPage: ${budgets}) { data { ${columns} } pagination { total } } }`;
const related = `{ budgets(perPage: ${budgets}) { data { ${columns} account { id name } createdBy { id name email } }
  pagination { total } } }`;

/** Start options of the server, and of a second one that counts its SQL statements. */
export interface Programs {
  readonly flags: readonly string[];
  readonly serve: readonly string[];
  readonly env: Record<string, string>;
}

/** Measures a page of budgets with account and owner compared with the same page without: requests per CPU second, and
 *  statements. `folder` is the folder of a bill, within the server's folder of bills. */
export async function measureRelations(server: Running, programs: Programs, folder: string): Promise<Goal[]> {
  const token = await register(server);
  const { id } = await load(server, token, folder);
  for (let index = 0; index < budgets; index += 1)
    await rest(server, 'POST /budgets', token, { name: `Budget ${index}`, amount: 100 + index, account_id: id });
  const rows = await measureRequests(
    [contender('flat', server, flat), contender('with relations', server, related)],
    token,
  );
  printTable(`GraphQL: ${budgets} budgets with account and owner, ${connections} connections`, rows);
  const [plain, withRelations] = rows;
  const times = (plain?.['requests / CPU s'] ?? Number.NaN) / (withRelations?.['requests / CPU s'] ?? Number.NaN);
  const what = `${budgets} budgets with account and owner`;
  return [
    { what: `${what}: CPU time, as a multiple of the page without`, figure: times, most: 1.5 },
    { what: `${what}: SQL statements`, figure: await countStatements(programs, token), most: 4 },
  ];
}

function contender(name: string, server: Running, query: string): Contender {
  const body = JSON.stringify({ query });
  return { name, server, next: () => ({ method: 'POST', path: '/graphql', body }) };
}

/** The number of statements of the query apart from authentication, in a server that counts them. */
async function countStatements({ flags, serve, env }: Programs, token: string): Promise<number> {
  const port = await freePort();
  const counter = join(import.meta.dirname, 'count-statements.ts');
  const counting = await start(
    [...flags, '--import', counter, ...serve],
    { ...env, STATEMENTS_PORT: String(port) },
    '/ready',
  );
  const sent = async () => Number(await (await fetch(`http://127.0.0.1:${port}`)).text());
  const least = async (query: string) => {
    const counts: number[] = [];
    // Jobs of the server send statements meanwhile, so the minimum is that of the query.
    for (let round = 0; round < 20; round += 1) {
      const before = await sent();
      await ask(counting, token, query);
      counts.push((await sent()) - before);
    }
    return Math.min(...counts);
  };
  try {
    return (await least(related)) - (await least('{ __typename }'));
  } finally {
    await counting.stop();
  }
}

async function ask({ url }: Running, token: string, query: string): Promise<void> {
  const response = await fetch(`${url}/graphql`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', authorization: `Bearer ${token}` },
    body: JSON.stringify({ query }),
  });
  const text = await response.text();
  if (!response.ok || text.includes('"errors"')) throw new Error(`${query}: ${response.status} ${text}`);
}
