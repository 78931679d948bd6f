import type { Prisma } from '../../prisma/generated/client/client.ts';

/** The database client or an open transaction. Store functions take it as their first parameter, so the caller
 *  chooses. */
export type Db = Prisma.TransactionClient;
