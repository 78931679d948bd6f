import { CostExplorerClient } from '@aws-sdk/client-cost-explorer';
import { ListObjectsV2Command, S3Client } from '@aws-sdk/client-s3';
import { arg, choice, fix, invalid, mention } from '../../kit/errors/errors.ts';
import { monthAt } from '../../kit/time/period.ts';
import type { AccessCheck, Connection, InventorySource } from '../contract.ts';
import { awsManifestPlace } from '../layouts/aws-export.ts';
import type { ListedFile } from '../layouts/listing.ts';
import type { CloudEndpoints, ConnectionSpec } from '../spec.ts';
import { s3Store } from '../storage/s3-store.ts';
import { overviewOf } from './cost-explorer/overview.ts';
import { costExplorerSource, lacking } from './cost-explorer/source.ts';
import {
  exportPlace,
  type ExportPlace,
  exportSource,
  keyInExport,
  notDelivered,
  readExportManifest,
} from './data-export.ts';
import { type AwsSession, openSession, partitionOfRegion } from './session.ts';

/** Opens an AWS account: its Data Export, otherwise Cost Explorer, and its inventory.
 *  @throws {AppError} VALIDATION_ERROR when the settings have a bucket without an export, or a region outside the account's
 *  partition */
export function openAws(spec: Extract<ConnectionSpec, { provider: 'aws' }>, endpoints: CloudEndpoints): Connection {
  const { credentials, settings, trustExternalId } = spec;
  const { bucket, prefix, exportName, region } = settings;
  const session = openSession({ credentials, trustExternalId, region, endpoints });
  refuseForeignRegion(session, region);
  const inventory = inventoryOf(session, region);
  if (bucket === null) {
    if (session.partition.id === 'aws-us-gov')
      throw invalid`${arg('settings.bucket')} is missing: GovCloud has no Cost Explorer. Connect a Data Export, or the standard account that GovCloud is billed to`;
    const costs = costExplorerSource(session);
    return {
      costs,
      inventory,
      check: (signal) => checked(session, checkCostExplorer(session, signal), { region, signal }),
    };
  }
  if (exportName === null)
    throw invalid`${arg('settings.export_name')} is missing${fix}name the Data Export that delivers to ${mention('settings.bucket')}`;
  const place = exportPlace(bucket, prefix, exportName);
  const check = (signal: AbortSignal) => checked(session, checkExport(session, place, signal), { region, signal });
  return { costs: exportSource(session, place), inventory, check };
}

/** Rejects a region of another partition: a role exists only in the partition of its ARN. */
function refuseForeignRegion({ partition }: AwsSession, region: string | null): void {
  if (region === null || partitionOfRegion(region).id === partition.id) return;
  throw invalid`${arg('settings.region', region)} is not in the partition "${partition.id}" of the account${fix}name a region such as "${partition.mainRegion}", or leave it out`;
}

/** Checks the bills, then which permissions the inventory lacks. */
async function checked(
  session: AwsSession,
  bills: Promise<AccessCheck>,
  { region, signal }: { region: string | null; signal: AbortSignal },
): Promise<AccessCheck> {
  const found = await bills;
  const { probeInventory } = await import('./inventory/probe.ts');
  return { ...found, warnings: [...found.warnings, ...(await probeInventory(session, region, signal))] };
}

/** Imports the inventory when it is listed, once per day: its clients take twice the time and memory of all others. */
function inventoryOf(session: AwsSession, region: string | null): InventorySource {
  return {
    async list(keep, signal) {
      const { awsInventory } = await import('./inventory/source.ts');
      return awsInventory(session, region).list(keep, signal);
    },
  };
}

/** Checks whether a Data Export can be read: role and external id, bucket, its region, the export's folder, the newest
 *  manifest, and one file it names.
 *  @throws {AppError} VALIDATION_ERROR naming the problem
 *  @throws {TryLater} */
export async function checkExport(session: AwsSession, place: ExportPlace, signal: AbortSignal): Promise<AccessCheck> {
  const externalId = await signInAlone(session, signal);
  const { client } = session.s3(S3Client, null);
  const store = s3Store(client, place.bucket);
  const listed = await store.list(`${place.root}metadata/`, signal);
  const manifests = listed.filter((file) => awsManifestPlace(file.key)?.root === place.root);
  const [newest] = manifests.toSorted((a, b) => b.modifiedAt.getTime() - a.modifiedAt.getTime());
  if (!newest) throw await nothingThere(client, place, signal);
  const manifest = await readExportManifest(store, place, newest, signal);
  const [key] = manifest.dataFiles.map(({ uri }) => keyInExport(uri, place, newest.key));
  if (key !== undefined) await store.probe(await listedObject(key, newest.key), signal);
  return { externalId, warnings: [] };

  async function listedObject(wanted: string, manifestKey: string): Promise<ListedFile> {
    const found = (await store.list(wanted, signal)).find((object) => object.key === wanted);
    if (found) return found;
    throw invalid`Object "${wanted}", named by manifest "${manifestKey}", is missing in ${store.name}${fix}let AWS deliver the export again`;
  }
}

/** Checks access to Cost Explorer, with one request for USD 0.01.
 *  @throws as `checkExport` */
export async function checkCostExplorer(session: AwsSession, signal: AbortSignal): Promise<AccessCheck> {
  const externalId = await signInAlone(session, signal);
  const now = new Date();
  const current = monthAt(now);
  await overviewOf(session.client(CostExplorerClient), { first: current, last: current }, now, signal);
  return { externalId, warnings: [lacking] };
}

/** Signs in; rejects a role that does not require the organization's external id. */
async function signInAlone(session: AwsSession, signal: AbortSignal): Promise<string> {
  const account = await session.signIn(signal);
  await session.refuseOpenRole(signal);
  return account;
}

/** Returns an error that lists what is there instead of the export's manifests, to distinguish a wrong prefix or name from
 *  a first delivery that has not arrived yet. */
async function nothingThere(client: S3Client, place: ExportPlace, signal: AbortSignal): Promise<Error> {
  const own = await foldersIn(client, place.bucket, place.root, signal);
  if (own.some((name) => /^\d{8}-\d{8}$/.test(name)))
    return invalid`${arg('settings.export_name')} must name a Data Export: s3://${place.bucket}/${place.root} contains a legacy Cost and Usage Report, which only provider ${choice('provider', 'focus')} reads${fix}create a Data Export (FOCUS 1.2 or CUR 2.0) and name it, or connect the bucket with that provider`;
  const parent = place.root.slice(0, -`${place.exportName}/`.length);
  const beside = await foldersIn(client, place.bucket, parent, signal);
  const others = beside.filter((name) => name !== place.exportName).slice(0, 10);
  if (others.length === 0) return notDelivered(place);
  const names = others.map((name) => `"${name}"`).join(', ');
  return notDelivered(place, `; s3://${place.bucket}/${parent} contains ${names}`);
}

async function foldersIn(client: S3Client, bucket: string, prefix: string, signal: AbortSignal): Promise<string[]> {
  const question = { Bucket: bucket, Prefix: prefix, Delimiter: '/', MaxKeys: 100 };
  const answer = await client.send(new ListObjectsV2Command(question), { abortSignal: signal }).catch(() => null);
  return (answer?.CommonPrefixes ?? []).flatMap(({ Prefix }) => Prefix?.slice(prefix.length, -1) ?? []);
}
