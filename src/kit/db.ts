import type { Prisma } from '../../prisma/generated/client/client.ts';

/** The database client or an open transaction: store functions take it first, so that the caller says which. */
export type Db = Prisma.TransactionClient;
