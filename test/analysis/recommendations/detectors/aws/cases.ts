import type { Case } from '../../subject.ts';
import { computeCases } from './compute-cases.ts';
import { databaseCases } from './database-cases.ts';
import { networkCases } from './network-cases.ts';
import { serverlessCases } from './serverless-cases.ts';
import { storageCases } from './storage-cases.ts';

/** For each detector of AWS a subject that it finds something on. */
export const awsCases = {
  ...storageCases,
  ...computeCases,
  ...networkCases,
  ...databaseCases,
  ...serverlessCases,
} satisfies Record<string, Case>;
