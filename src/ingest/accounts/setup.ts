import type { CloudProvider } from '../../../prisma/generated/client/enums.ts';
import type { Deps } from '../../kit/deps.ts';
import type { OrgScope } from '../../tenancy/auth/scope.ts';

/** What to do at a provider before its account is connected. */
export interface AccountSetup {
  provider: CloudProvider;
  steps: string[];
  policy: object | null;
  roles: string[];
  trustExternalId: string | null;
}

type Guide = Omit<AccountSetup, 'provider' | 'trustExternalId'>;

const awsPolicy = {
  Version: '2012-10-17',
  Statement: [
    {
      Effect: 'Allow',
      Action: ['s3:ListBucket', 's3:GetBucketLocation'],
      Resource: 'arn:aws:s3:::BUCKET',
    },
    {
      Effect: 'Allow',
      Action: 's3:GetObject',
      Resource: 'arn:aws:s3:::BUCKET/PREFIX/*',
    },
  ],
};

/** How each provider delivers its bills as FOCUS, and the least that reading them takes. */
const guides: Record<CloudProvider, Guide> = {
  focus: {
    steps: [
      'Place the FOCUS files (.csv, .csv.gz or .parquet; FOCUS 1.0 to 1.4) in a folder below the one that FOCUS_ROOT names. Manifests of AWS Data Exports and of Azure exports are understood.',
      'Connect the folder: provider "focus", settings.path relative to FOCUS_ROOT.',
      'Deliver new or restated files into the same folder: each sync reads those that changed and replaces their billing months whole.',
    ],
    policy: null,
    roles: [],
  },
  aws: {
    steps: [
      'Create a Data Export of FOCUS 1.2 with AWS columns in Billing and Cost Management: Parquet or gzip CSV, delivered to an S3 bucket.',
      'Let the machine that holds FOCUS_ROOT read the bucket with the policy below, in place of BUCKET and PREFIX the export’s own, and copy the export there.',
      'Connect the copied folder with provider "focus".',
    ],
    policy: awsPolicy,
    roles: [],
  },
  azure: {
    steps: [
      'Create a Cost Management export of the FOCUS dataset: daily, month to date, partitioned and overwriting, delivered to a Blob container.',
      'Grant the role below on that container alone to the identity that copies the export below FOCUS_ROOT.',
      'Connect the copied folder with provider "focus".',
    ],
    policy: null,
    roles: ['Storage Blob Data Reader (on the export’s container)'],
  },
  gcp: {
    steps: [
      'Enable the BigQuery billing export and its FOCUS view for the billing account.',
      'Grant the roles below to the service account that extracts the FOCUS rows as Parquet below FOCUS_ROOT.',
      'Connect the folder with provider "focus".',
    ],
    policy: null,
    roles: [
      'roles/bigquery.dataViewer (on the export’s dataset)',
      'roles/bigquery.jobUser (on the project that runs the query)',
    ],
  },
};

/** The guide of a provider, with the organization's own external id for AWS. */
export async function setupOf(deps: Pick<Deps, 'db'>, scope: OrgScope, provider: CloudProvider): Promise<AccountSetup> {
  const { trustExternalId } = await deps.db.organization.findUniqueOrThrow({
    where: { id: scope.organizationId },
    select: { trustExternalId: true },
  });
  return {
    provider,
    ...guides[provider],
    trustExternalId: provider === 'aws' ? trustExternalId : null,
  };
}
