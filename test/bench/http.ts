import { join } from 'node:path';
import { writeFocusFiles } from './focus-files.ts';
import { goalRows, type Goal } from './goals.ts';
import { printTable } from './measure.ts';
import { measureRelations } from './relations.ts';
import { accountList, byService, byServiceGraphql, measureRequests } from './requests.ts';
import { load, register, start, type Running } from './server.ts';

const lineItems = 100_000;
/** Requests per CPU second of REST through Sofa, relative to a hand-written handler. */
const leastOfHandWritten = 0.5;

interface Options {
  /** Arguments of Node. */
  readonly flags: readonly string[];
  /** The folder that the server reads bills from. */
  readonly root: string;
  /** Number of accounts in the list. */
  readonly accounts: number;
}

/** Measures the cost of the layers between HTTP and use cases: Sofa compared with hand-written handlers, GraphQL with
 *  relations compared with GraphQL without. Prints each result with its target. */
export async function measureHttp(server: Running, env: Record<string, string>, options: Options): Promise<void> {
  const { flags, root, accounts } = options;
  const folder = `focus-${lineItems}`;
  await writeFocusFiles(join(root, folder), lineItems);
  const reference = await start([...flags, join(import.meta.dirname, 'hand-written.ts')], env, '/ready');
  const goals: Goal[] = [];
  try {
    const token = await register(server);
    await load(server, token, folder);
    goals.push(await measureByService(server, reference, token));
    const serve = [join(import.meta.dirname, '../../src/main.ts'), 'serve'];
    goals.push(...(await measureRelations(server, { flags, serve, env }, folder)));
    goals.push(await measureAccounts(server, reference, options));
  } finally {
    await reference.stop();
  }
  printTable(`Goals of requests (${accounts} accounts, ${lineItems} line items)`, goalRows(goals));
}

async function measureByService(server: Running, reference: Running, token: string): Promise<Goal> {
  const rows = await measureRequests(
    [
      byService('hand-written Express', reference),
      byService('REST through Sofa', server),
      byServiceGraphql('GraphQL', server),
    ],
    token,
  );
  printTable('/costs/by-service, uncached', rows);
  return goalOfSofa('/costs/by-service', rows);
}

async function measureAccounts(server: Running, reference: Running, { root, accounts }: Options): Promise<Goal> {
  const token = await register(server);
  for (let index = 0; index < accounts; index++) {
    const folder = `small/${index}`;
    await writeFocusFiles(join(root, folder), 120);
    await load(server, token, folder);
  }
  const rows = await measureRequests(
    [accountList('hand-written Express', reference), accountList('REST through Sofa', server)],
    token,
  );
  printTable(`/accounts, ${accounts} with their syncs`, rows);
  return goalOfSofa('/accounts', rows);
}

/** Expects the reference first in `rows`, Sofa second. */
function goalOfSofa(path: string, rows: Awaited<ReturnType<typeof measureRequests>>): Goal {
  const what = `${path}: requests per CPU second through Sofa, as a share of hand-written`;
  return { what, figure: rows[1]?.ratio ?? Number.NaN, least: leastOfHandWritten };
}
