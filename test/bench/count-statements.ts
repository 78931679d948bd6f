// Preloaded with `node --import`: counts the SQL statements that this process sends, and returns the count over HTTP.
import { createServer } from 'node:http';
import pg from 'pg';

let sent = 0;
const query: (this: pg.Client, ...args: unknown[]) => unknown = pg.Client.prototype.query;
Reflect.set(pg.Client.prototype, 'query', function counted(this: pg.Client, ...args: unknown[]) {
  const [text] = args;
  if (typeof text !== 'string' || !/^(BEGIN|COMMIT|ROLLBACK|SET)\b/i.test(text)) sent += 1;
  return query.apply(this, args);
});

createServer((_req, res) => res.end(String(sent))).listen(Number(process.env['STATEMENTS_PORT']), '127.0.0.1');
