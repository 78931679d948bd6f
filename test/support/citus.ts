import pg from 'pg';

// Databases on a Citus cluster: one of the same name on each node, registered with each other.

/** The maintenance database of a node. */
export type Node = pg.ClientConfig & { readonly host: string; readonly port: number; readonly database: string };

/** Shards per table: few, because each command on a table takes a query per shard, and tests have few rows. */
const SHARDS = 2;

/** Runs one query on a node.
 *  @param database if not its maintenance database */
export async function queryNode<Row extends pg.QueryResultRow>(
  node: Node,
  sql: string,
  database = node.database,
): Promise<Row[]> {
  const client = new pg.Client({ ...node, database });
  await client.connect();
  return (await client.query<Row>(sql).finally(() => client.end())).rows;
}

/** Returns the nodes of the cluster of this coordinator, which is the first. */
export async function nodesOf(coordinatorUrl: string): Promise<Node[]> {
  const url = new URL(coordinatorUrl);
  const coordinator = {
    host: url.hostname,
    port: Number(url.port || 5432),
    user: decodeURIComponent(url.username),
    password: decodeURIComponent(url.password),
    database: url.pathname.slice(1),
  };
  const workers = await queryNode<{ host: string; port: number }>(
    coordinator,
    `select nodename as host, nodeport as port from pg_dist_node where isactive and noderole = 'primary' and groupid > 0
     order by nodeid`,
  );
  return [coordinator, ...workers.map((worker) => ({ ...coordinator, ...worker }))];
}

/** Makes a cluster of the databases of this name. */
export async function joinNodes(nodes: readonly Node[], name: string): Promise<void> {
  const [coordinator, ...workers] = nodes;
  if (!coordinator) return;
  for (const node of nodes) await queryNode(node, 'create extension citus', name);
  const onCoordinator = (sql: string) => queryNode(coordinator, sql, name);
  await onCoordinator(`select citus_set_coordinator_host('${coordinator.host}', ${coordinator.port})`);
  for (const { host, port } of workers) await onCoordinator(`select citus_add_node('${host}', ${port})`);
  await onCoordinator('create extension if not exists pg_trgm');
  await onCoordinator(`alter database ${name} set citus.shard_count = ${SHARDS}`);
}

/** Ends the sessions of a database and allows no new ones, Citus's own included: a database in use can be neither copied nor
 *  dropped. The copies of a template form a cluster, because nodes connect to the database of their own name. */
export async function closeDatabase(node: Node, name: string): Promise<void> {
  await queryNode(node, `alter database ${name} allow_connections false`);
  await queryNode(node, `select pg_terminate_backend(pid, 5000) from pg_stat_activity where datname = '${name}'`);
}
