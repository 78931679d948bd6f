import type { Config } from '../kit/config.ts';

// What connects an account: credentials and settings, as `POST /accounts` takes them (REST spells them snake_case). Each
// provider's `input.ts` reads them strictly; nothing here is ever logged.

/** A role that trusts the organization's external id, or keys. */
export type AwsCredentials =
  | { readonly roleArn: string }
  | { readonly accessKeyId: string; readonly secretAccessKey: string; readonly sessionToken: string | null };

export interface AwsSettings {
  /** Bucket, prefix ('' for none) and name of the Data Export; without a bucket Cost Explorer is asked. */
  readonly bucket: string | null;
  readonly prefix: string;
  readonly exportName: string | null;
  /** Region that is spoken to first; the partition's main one by default. */
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
  /** Resource id of a billing account, profile or enrollment, from `/providers/Microsoft.Billing/` on. */
  readonly billingScope: string | null;
  /** Where the FOCUS export is delivered; without a storage account the Query API is asked. */
  readonly storageAccount: string | null;
  readonly container: string | null;
  readonly prefix: string;
}

/** What is taken of a service account's key file; everything else in it is left out, URLs above all. */
export interface GcpCredentials {
  readonly clientEmail: string;
  readonly privateKey: string;
  readonly projectId: string;
}

export interface GcpSettings {
  /** The project that queries run and are billed in. */
  readonly billingProject: string;
  /** `dataset` in that project, or `project.dataset`. */
  readonly dataset: string;
  /** Null: the detailed export of the dataset, else its FOCUS table, else the standard export. */
  readonly table: string | null;
  /** Of the dataset: `EU`, `US`, `europe-west3`. */
  readonly location: string;
  /** What the inventory is listed of: `projects/…`, `folders/…`, `organizations/…`; none: no inventory. */
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

/** Everything that opens a provider. A local `focus` folder needs no such thing. */
export type ConnectionSpec =
  | {
      readonly provider: 'aws';
      readonly credentials: AwsCredentials;
      readonly settings: AwsSettings;
      /** The external id that a role's trust policy must name. */
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

/** Where the clouds are reached. Only the operator sets these, never an account: a URL in an account would let its owner
 *  send the server anywhere. */
export type CloudEndpoints = Config['clouds'];
