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

/** What the outside world gives to a use case. Built once in `main.ts`, or by a test. A use case takes a `Pick` of it as
 *  its first parameter, so that its signature tells what can happen inside. */
export interface Deps {
  /** Prisma: everything but bulk loads and cube queries. */
  readonly db: PrismaClient;
  /** The connections Prisma runs on, for COPY and composed SQL. */
  readonly pool: pg.Pool;
  /** How to open one more connection, for a session that must live long (locks, COPY). */
  readonly connection: pg.ClientConfig;
  readonly clock: Clock;
  readonly log: Log;
  readonly config: Config;
  readonly queue: Queue;
  /** Sends at once: acts queue their mails, see `tenancy/mail`. */
  readonly mailer: Mailer;
  readonly secrets: Secrets;
  /** Answers questions to the facts that rollups cannot. */
  readonly engine: FactEngine;
  /** Keeps the fact files. */
  readonly factStore: FactStore;
}
