import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { onTestFinished } from 'vitest';
import type { Connection } from '../../../src/providers/contract.ts';
import { openGcp } from '../../../src/providers/gcp/open.ts';
import type { GcpCredentials, GcpSettings } from '../../../src/providers/spec.ts';
import { startFakeGoogle, type FakeGoogle } from '../../support/clouds/google/cloud.ts';
import { readCsv } from '../../support/rfc4180.ts';

export const detailedTable = 'billing-123.billing.gcp_billing_export_resource_v1_010101_F0FFF0_61C528';
export const signal = new AbortController().signal;

export interface GoogleWorld {
  readonly google: FakeGoogle;
  readonly credentials: GcpCredentials;
  /** The folder of the test. */
  readonly folder: string;
  connect(settings?: Partial<GcpSettings>, credentials?: GcpCredentials): Promise<Connection>;
  /** Fetches a month, and returns its rows by column. */
  rowsOf(connection: Connection, month: string): Promise<Record<string, string | null>[]>;
}

/** A Google Cloud for one test. */
export async function aGoogleCloud(): Promise<GoogleWorld> {
  const google = await startFakeGoogle();
  const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'costkeep-gcp-'));
  onTestFinished(async () => {
    await google.stop();
    fs.rmSync(folder, { recursive: true });
  });
  const own = google.tokens.account();
  const settings: GcpSettings = {
    billingProject: 'billing-123',
    dataset: 'billing',
    table: null,
    location: 'EU',
    scopes: [],
  };
  return {
    google,
    credentials: own,
    folder,
    connect: (more = {}, credentials = own) =>
      openGcp({ provider: 'gcp', credentials, settings: { ...settings, ...more } }, endpointsOf(google)),
    async rowsOf(connection, month) {
      const { files } = await connection.costs.list(null, signal);
      const file = files.find((each) => each.month === month);
      if (!file) throw new Error(`No month ${month}`);
      const at = await connection.costs.fetch(file, folder, signal);
      return readCsv(fs.readFileSync(at, 'utf8'));
    },
  };
}

/** Google endpoints of the fake; no other cloud is reachable. */
function endpointsOf({ url }: FakeGoogle) {
  return {
    awsEndpoint: null,
    s3Endpoint: null,
    awsPrincipal: null,
    azureLoginEndpoint: '',
    azureManagementEndpoint: '',
    azureBlobEndpoint: '',
    googleEndpoint: url,
    focusEndpoints: [],
  };
}

let lines = 0;

/** A line of the detailed export: an hour of a core on May 3, 2026, exported that night. */
export function aLine(more: Record<string, unknown> = {}): Record<string, unknown> {
  lines++;
  return {
    billing_account_id: '010101-F0FFF0-61C528',
    service: { id: '6F81-5844-456A', description: 'Compute Engine' },
    sku: { id: 'CORE', description: 'N1 Predefined Instance Core running in EMEA' },
    usage_start_time: '2026-05-03T10:00:00',
    usage_end_time: '2026-05-03T11:00:00',
    project: { id: 'shop', number: '777', name: 'Shop', labels: [], ancestry_numbers: '/1/' },
    labels: [],
    system_labels: [],
    location: { location: 'europe-west1', country: 'BE', region: 'europe-west1', zone: 'europe-west1-b' },
    export_time: `2026-05-04T01:00:00.${String(lines).padStart(6, '0')}`,
    cost: 1,
    currency: 'EUR',
    usage: { amount: 3600, unit: 'seconds', amount_in_pricing_units: 1, pricing_unit: 'hour' },
    credits: [],
    invoice: { month: '202605' },
    cost_type: 'regular',
    cost_at_list: 2,
    resource: {
      name: 'web-1',
      global_name: '//compute.googleapis.com/projects/shop/zones/europe-west1-b/instances/4711',
    },
    _PARTITIONTIME: '2026-05-04T00:00:00',
    ...more,
  };
}
