/** What became of one attempt. Reasons are whole clauses for people, without any secret. */
export type Outcome =
  | { readonly kind: 'sent' }
  | {
      /** No later attempt will go better. */
      readonly kind: 'refused';
      readonly reason: string;
      /** It is the webhook, not the message: its owner must set another one. */
      readonly isWebhookGone?: boolean;
    }
  | {
      /** A later attempt may go better. */
      readonly kind: 'later';
      readonly reason: string;
      /** When the server asked to be asked again at the earliest. */
      readonly notBefore: Date | null;
      /** It is the webhook that is wrong as things stand: its owner may have to set another one. */
      readonly isWebhookGone?: boolean;
    };
