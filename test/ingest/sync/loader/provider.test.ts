import { expect, it } from 'vitest';
import { providerSlug } from '../../../../src/ingest/sync/loader/bill/columns.ts';

it.each([
  ['AWS', 'aws'],
  ['Amazon Web Services', 'aws'],
  ['Amazon Web Services, Inc.', 'aws'],
  [' aws ', 'aws'],
  ['Microsoft', 'azure'],
  ['Microsoft Azure', 'azure'],
  ['Microsoft Corporation', 'azure'],
  ['Google Cloud', 'gcp'],
  ['Google Cloud Platform', 'gcp'],
  ['GCP', 'gcp'],
  ['Oracle Corporation', 'oracle'],
  ['OCI', 'oracle'],
  ['Databricks, Inc.', 'databricks-inc'],
  ['  Snow  Flake!! ', 'snow-flake'],
  ['Ünïcode Hosting', 'unicode-hosting'],
  ['阿里云', '阿里云'],
  ['里'.repeat(3000), '里'.repeat(100)],
  ['\u339C'.repeat(90), 'm'.repeat(100)],
  ['', 'unknown'],
  ['!!!', 'unknown'],
  ['unknown', 'unknown'],
  ['constructor', 'constructor'],
])('maps %j to %s', (name, slug) => {
  expect(providerSlug(name)).toBe(slug);
});
