import type { Config } from '../kit/config/config.ts';

// Connection of an account: credentials and settings, as in `POST /accounts` (snake_case in REST). Each provider's `input.ts`
// validates them strictly; nothing here is ever logged.

/** A role that requires the organization's external id, or access keys. */
export type AwsCredentials =
  | { readonly roleArn: string }
  | { readonly accessKeyId: string; readonly secretAccessKey: string; readonly sessionToken: string | null };

export interface AwsSettings {
  /** Bucket, prefix ('' for none) and name of the Data Export; without a bucket, costs come from Cost Explorer. */
  readonly bucket: string | null;
  readonly prefix: string;
  readonly exportName: string | null;
  /** Region of the first request; the partition's main one by default. */
  readonly region: string | null;
}

/** A service principal. */
export interface AzureCredentials {
  readonly tenantId: string;
  readonly clientId: string;
  readonly clientSecret: string;
}

export interface AzureSettings {
  readonly subscriptionIds: readonly string[];
  /** Resource id of a billing account, profile or enrollment, starting with `/providers/Microsoft.Billing/`. */
  readonly billingScope: string | null;
  /** Location of the FOCUS export; without a storage account, costs come from the Query API. */
  readonly storageAccount: string | null;
  readonly container: string | null;
  readonly prefix: string;
}

/** The used part of a service account's key file; everything else is dropped, especially URLs. */
export interface GcpCredentials {
  readonly clientEmail: string;
  readonly privateKey: string;
  readonly projectId: string;
}

export interface GcpSettings {
  /** Project that runs queries and is billed for them. */
  readonly billingProject: string;
  /** `dataset` in that project, or `project.dataset`. */
  readonly dataset: string;
  /** Null: the detailed export of the dataset, otherwise its FOCUS table, otherwise the standard export. */
  readonly table: string | null;
  /** Location of the dataset: `EU`, `US`, `europe-west3`. */
  readonly location: string;
  /** Scopes of the inventory: `projects/…`, `folders/…`, `organizations/…`; empty: no inventory. */
  readonly scopes: readonly string[];
}

/** A bucket of an S3-compatible store, or a Blob container, with FOCUS exports of any vendor. */
export type FocusSettings =
  | {
      readonly bucket: string;
      readonly prefix: string;
      readonly endpoint: string | null;
      readonly region: string | null;
    }
  | { readonly storageAccount: string; readonly container: string; readonly prefix: string };

/** Connection of any provider. A local `focus` folder has none. */
export type ConnectionSpec =
  | {
      readonly provider: 'aws';
      readonly credentials: AwsCredentials;
      readonly settings: AwsSettings;
      /** External id required in a role's trust policy. */
      readonly trustExternalId: string;
    }
  | { readonly provider: 'azure'; readonly credentials: AzureCredentials; readonly settings: AzureSettings }
  | { readonly provider: 'gcp'; readonly credentials: GcpCredentials; readonly settings: GcpSettings }
  | {
      readonly provider: 'focus';
      readonly credentials: AwsCredentials | AzureCredentials;
      readonly settings: FocusSettings;
      readonly trustExternalId: string;
    };

/** Addresses of the clouds. Only the operator sets them, never an account: a URL in an account would let its owner direct the
 *  server's requests anywhere. */
export type CloudEndpoints = Config['clouds'];
