import { type Meter, type MeterInput, meterOf } from '../bill/meter.ts';
import { type Tags, tagsOf } from '../inventory/tags.ts';
import { type Place, armResource, places, services } from './places.ts';

const daysPerMonth = 30.4375;

interface Disk {
  readonly name: string;
  readonly at: Place;
  readonly group: string;
  readonly sku: 'P20 LRS' | 'P30 LRS' | 'E30 LRS' | 'S40 LRS';
  readonly tags: Tags;
}

const diskPrices = { 'P20 LRS': '73.22', 'P30 LRS': '135.17', 'E30 LRS': '76.8', 'S40 LRS': '77.83' } as const;

const disk = ({ name, at, group, sku, tags }: Disk): Meter =>
  meterOf({
    name,
    at,
    service: services.disk,
    resource: armResource(at, group, 'microsoft.compute/disks', name),
    tags,
    meter: `${sku} Disk`,
    description: `${sku.startsWith('P') ? 'Premium SSD' : sku.startsWith('E') ? 'Standard SSD' : 'Standard HDD'} Managed Disks - ${sku} Disk - EU West`,
    unit: 'Units/Month',
    price: diskPrices[sku],
    perDay: 1 / daysPerMonth,
    rhythm: 'always_on',
  });

const disks: readonly Disk[] = [
  { name: 'pos-app-1-data', at: places.retail, group: 'pos', sku: 'P30 LRS', tags: tagsOf('storefront', 'prod') },
  { name: 'pos-app-2-data', at: places.retail, group: 'pos', sku: 'P30 LRS', tags: tagsOf('storefront', 'prod') },
  { name: 'pricing-data', at: places.retail, group: 'pricing', sku: 'P20 LRS', tags: tagsOf('search', 'prod') },
  { name: 'file-server-data', at: places.corporate, group: 'legacy', sku: 'S40 LRS', tags: {} },
  // Unattached.
  { name: 'pos-app-old-data', at: places.retail, group: 'pos', sku: 'P30 LRS', tags: tagsOf('storefront', 'prod') },
  { name: 'dev-vm-9-data', at: places.development, group: 'developers', sku: 'E30 LRS', tags: {} },
];

const address = (name: string, at: Place, group: string, tags: Tags): Meter =>
  meterOf({
    name,
    at,
    service: services.network,
    resource: armResource(at, group, 'microsoft.network/publicipaddresses', name),
    tags,
    meter: 'Standard IPv4 Static Public IP',
    description: 'IP Addresses - Standard IPv4 Static Public IP',
    unit: 'Hours',
    price: '0.0046',
    perDay: 24,
    rhythm: 'always_on',
  });

const gateway = (name: string, at: Place, group: string, tags: Tags): Meter =>
  meterOf({
    name,
    at,
    service: services.gateway,
    resource: armResource(at, group, 'microsoft.network/applicationgateways', name),
    tags,
    meter: 'Standard Fixed Cost',
    description: 'Application Gateway Standard v2 - Standard Fixed Cost',
    unit: 'Hours',
    price: '0.226',
    perDay: 24,
    rhythm: 'always_on',
  });

const storage = (
  name: string,
  [at, group]: readonly [Place, string],
  tags: Tags,
  input: Pick<MeterInput, 'meter' | 'unit' | 'price' | 'perDay'> & Partial<MeterInput>,
): Meter =>
  meterOf({
    at,
    service: services.storage,
    resource: armResource(at, group, 'microsoft.storage/storageaccounts', name),
    tags,
    description: `Blob Storage - ${input.meter} - EU West`,
    ...input,
    name: `${name} ${input.meter}`,
  });

const sql = (name: string, at: Place, tags: Tags, vCoreHours: number): Meter[] => {
  const base = {
    at,
    service: services.sql,
    resource: armResource(at, 'databases', 'microsoft.sql/servers/databases', name),
    tags,
    rhythm: 'always_on' as const,
  };
  return [
    meterOf({
      ...base,
      name: `${name} compute`,
      meter: 'vCore',
      description: 'SQL Database Single/Elastic Pool General Purpose - Compute Gen5 - vCore',
      unit: 'Hours',
      price: '0.152',
      perDay: vCoreHours,
    }),
    meterOf({
      ...base,
      name: `${name} storage`,
      meter: 'General Purpose Data Stored',
      description: 'SQL Database General Purpose - Storage - Data Stored',
      unit: 'GB/Month',
      price: '0.13',
      perDay: 900 / daysPerMonth,
    }),
  ];
};

const openAi = (name: string, meter: string, price: string, perDay: number): Meter =>
  meterOf({
    name,
    at: places.ai,
    service: services.openAi,
    resource: armResource(places.ai, 'assistant', 'microsoft.cognitiveservices/accounts', 'support-assistant'),
    tags: tagsOf('ml', 'prod'),
    meter,
    description: `Azure OpenAI - ${meter}`,
    unit: '1000 Tokens',
    price,
    perDay,
    rhythm: 'business',
    growth: 0.9,
  });

/** Storage, databases, networks and managed services of the Azure sample. */
export const dataMeters: readonly Meter[] = [
  ...disks.map(disk),
  meterOf({
    name: 'erp-export-snapshot',
    at: places.corporate,
    service: services.disk,
    resource: armResource(places.corporate, 'legacy', 'microsoft.compute/snapshots', 'erp-export-snapshot'),
    tags: {},
    meter: 'LRS Snapshots',
    description: 'Premium SSD Managed Disks - LRS Snapshots',
    unit: 'GB/Month',
    price: '0.132',
    perDay: 1024 / daysPerMonth,
    rhythm: 'always_on',
  }),
  storage('bwretailmedia', [places.retail, 'media'], tagsOf('storefront', 'prod'), {
    meter: 'Hot LRS Data Stored',
    unit: 'GB/Month',
    price: '0.0184',
    perDay: 26_000 / daysPerMonth,
    growth: 0.3,
  }),
  storage('bwretailmedia', [places.retail, 'media'], tagsOf('storefront', 'prod'), {
    meter: 'Hot Read Operations',
    unit: '10000 Operations',
    price: '0.005',
    perDay: 5200,
    rhythm: 'shopping',
    growth: 0.3,
  }),
  storage('bwcompliance', [places.corporate, 'legacy'], tagsOf('erp', 'prod'), {
    meter: 'Hot LRS Data Stored',
    unit: 'GB/Month',
    price: '0.0184',
    perDay: 48_000 / daysPerMonth,
  }),
  ...sql('pos-sales', places.retail, tagsOf('storefront', 'prod'), 192),
  ...sql('loyalty', places.retail, tagsOf('payments', 'prod'), 96),
  ...sql('loyalty-test', places.development, tagsOf('payments', 'staging'), 96),
  openAi('assistant tokens', 'gpt-4o Output global Tokens', '0.01', 9400),
  openAi('assistant input', 'gpt-4o Input global Tokens', '0.0025', 41_000),
  openAi('embeddings', 'text-embedding-3-large Tokens', '0.00013', 260_000),
  address('retail-front-ip', places.retail, 'retail', tagsOf('platform', 'prod')),
  address('old-vpn-ip', places.corporate, 'legacy', {}),
  address('dev-vm-9-ip', places.development, 'developers', {}),
  gateway('retail-front', places.retail, 'retail', tagsOf('platform', 'prod')),
  gateway('old-portal-gateway', places.corporate, 'legacy', {}),
  meterOf({
    name: 'nat-retail',
    at: places.retail,
    service: services.network,
    resource: armResource(places.retail, 'retail', 'microsoft.network/natgateways', 'nat-retail'),
    tags: tagsOf('platform', 'prod'),
    meter: 'Standard Data Processed',
    description: 'NAT Gateway - Standard Data Processed',
    unit: 'GB',
    price: '0.041',
    perDay: 310,
    rhythm: 'shopping',
  }),
  meterOf({
    name: 'nat-dev',
    at: places.development,
    service: services.network,
    resource: armResource(places.development, 'developers', 'microsoft.network/natgateways', 'nat-dev'),
    tags: {},
    meter: 'Standard Gateway',
    description: 'NAT Gateway - Standard Gateway',
    unit: 'Hours',
    price: '0.041',
    perDay: 24,
    rhythm: 'always_on',
  }),
  meterOf({
    name: 'internet egress',
    at: places.retail,
    service: services.bandwidth,
    meter: 'Standard Data Transfer Out',
    description: 'Bandwidth - Rtn Preference: MGN - Standard Data Transfer Out',
    unit: 'GB',
    price: '0.08',
    perDay: 330,
    rhythm: 'shopping',
    growth: 0.2,
  }),
  meterOf({
    name: 'log ingestion',
    at: places.retail,
    service: services.logs,
    resource: armResource(places.retail, 'observability', 'microsoft.operationalinsights/workspaces', 'retail-logs'),
    tags: tagsOf('platform', 'prod'),
    meter: 'Pay-as-you-go Data Ingestion',
    description: 'Log Analytics - Pay-as-you-go Data Ingestion',
    unit: 'GB',
    price: '2.76',
    perDay: 42,
    rhythm: 'business',
    growth: 0.3,
  }),
  meterOf({
    name: 'vm backups',
    at: places.corporate,
    service: services.backup,
    resource: armResource(places.corporate, 'backup', 'microsoft.recoveryservices/vaults', 'corporate-vault'),
    tags: tagsOf('platform', 'prod'),
    meter: 'GRS Data Stored',
    description: 'Backup - GRS Data Stored',
    unit: 'GB/Month',
    price: '0.0448',
    perDay: 9000 / daysPerMonth,
    growth: 0.15,
  }),
  meterOf({
    name: 'key vault',
    at: places.retail,
    service: services.vault,
    resource: armResource(places.retail, 'platform', 'microsoft.keyvault/vaults', 'retail-keys'),
    tags: { ...tagsOf('platform', 'prod'), ' hidden-title': 'Retail keys' },
    meter: 'Operations',
    description: 'Key Vault - Operations',
    unit: '10000 Operations',
    price: '0.03',
    perDay: 210,
    rhythm: 'shopping',
  }),
];
