import { storedWord } from '../../../kit/stored-word.ts';
import { awsEbs } from './aws/ebs.ts';
import { awsEc2 } from './aws/ec2.ts';
import { awsExtendedSupport } from './aws/extended-support.ts';
import { awsManaged } from './aws/managed.ts';
import { awsNetwork } from './aws/network.ts';
import { awsRds } from './aws/rds.ts';
import { awsServerless } from './aws/serverless.ts';
import { awsSnapshots } from './aws/snapshots.ts';
import { awsStorage } from './aws/storage.ts';
import { azureCompute } from './azure/compute.ts';
import { azureDisks } from './azure/disks.ts';
import { azureLicenses } from './azure/licenses.ts';
import { azureManaged } from './azure/managed.ts';
import { azureNetwork } from './azure/network.ts';
import { gcpCompute } from './gcp/compute.ts';
import { gcpDisks } from './gcp/disks.ts';
import { gcpManaged } from './gcp/managed.ts';
import { gcpNetwork } from './gcp/network.ts';
import { commitmentDetectors } from './commitments.ts';
import type { Detector } from './detector.ts';

export const detectors: readonly Detector[] = [
  ...awsEbs,
  ...awsEc2,
  ...awsExtendedSupport,
  ...awsManaged,
  ...awsNetwork,
  ...awsRds,
  ...awsServerless,
  ...awsSnapshots,
  ...awsStorage,
  ...azureCompute,
  ...azureDisks,
  ...azureLicenses,
  ...azureManaged,
  ...azureNetwork,
  ...gcpCompute,
  ...gcpDisks,
  ...gcpManaged,
  ...gcpNetwork,
  ...commitmentDetectors,
];

/** Descriptions of all recommendation types, by name. */
export const recommendationTypes: Readonly<Record<string, string>> = Object.fromEntries(
  detectors.map(({ type, summary }) => [type, `${summary}.`] as const).sort(([a], [b]) => (a < b ? -1 : 1)),
);

/** Returns the type of a recommendation from its column; `unknown` for a type of another version. */
export function typeOf(stored: string): string {
  return storedWord(recommendationTypes, stored);
}
