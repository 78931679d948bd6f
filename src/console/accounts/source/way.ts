/** What a field is for: where the bills lie, who may read them, or names that only the guide is filled in with. */
type Part = 'settings' | 'credentials' | 'guide';

/** A field of the form that connects an account. */
export interface Field {
  /** As GraphQL spells it. */
  readonly name: string;
  readonly part: Part;
  readonly label: string;
  readonly help?: string;
  readonly placeholder?: string;
  /** `secret` is never shown; `list` is one a line; `file` is the JSON key of Google. */
  readonly kind?: 'secret' | 'list' | 'file';
  readonly isOptional?: boolean;
}

/** One way of connecting a provider. */
export interface Way {
  readonly key: string;
  readonly label: string;
  /** What choosing it means. */
  readonly text: string;
  readonly fields: readonly Field[];
  /** What the guide is asked with while these are empty: without them it would be another way's. */
  readonly assumed?: Readonly<Record<string, string>>;
  /** The guide is asked for a source without an export. */
  readonly withoutExport?: boolean;
  /** Kinds of credentials to choose from; the first is proposed; none: none are needed. */
  readonly credentials: readonly CredentialKind[];
}

/** One kind of credentials. */
export interface CredentialKind {
  readonly key: string;
  readonly label: string;
  readonly fields: readonly Field[];
}
