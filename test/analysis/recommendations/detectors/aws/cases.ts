import type { Case } from '../../subject.ts';
import { computeCases } from './compute-cases.ts';
import { databaseCases } from './database-cases.ts';
import { networkCases } from './network-cases.ts';
import { serverlessCases } from './serverless-cases.ts';
import { storageCases } from './storage-cases.ts';

/** A subject with a finding for each AWS detector. */
export const awsCases = {
  ...storageCases,
  ...computeCases,
  ...networkCases,
  ...databaseCases,
  ...serverlessCases,
} satisfies Record<string, Case>;
