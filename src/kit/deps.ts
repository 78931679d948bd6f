import type pg from 'pg';
import type { PrismaClient } from '../../prisma/generated/client/client.ts';
import type { FactEngine } from '../engine/engine.ts';
import type { FactStore } from '../engine/stores/fact-store.ts';
import type { Queue } from '../jobs/queue.ts';
import type { Clock } from './time/clock.ts';
import type { Config } from './config/config.ts';
import type { Secrets } from './secrets/crypto.ts';
import type { Log } from './log.ts';
import type { Mailer } from './mail/mail.ts';

/** External dependencies of use cases. Built once by `start.ts`, or by a test. A use case takes a `Pick` of it as its
 *  first parameter, so its signature shows its possible side effects. */
export interface Deps {
  /** For everything except bulk loads and cube queries. */
  readonly db: PrismaClient;
  /** Prisma's connection pool, for COPY and composed SQL. */
  readonly pool: pg.Pool;
  /** Configuration for additional connections, for long-lived sessions (locks, COPY). */
  readonly connection: pg.ClientConfig;
  readonly clock: Clock;
  readonly log: Log;
  readonly config: Config;
  readonly queue: Queue;
  /** Sends immediately; use cases queue their emails instead, see `tenancy/mail`. */
  readonly mailer: Mailer;
  readonly secrets: Secrets;
  /** Answers fact queries that rollups cannot. */
  readonly engine: FactEngine;
  /** Stores the fact files. */
  readonly factStore: FactStore;
}
