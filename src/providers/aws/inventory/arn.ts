/** An Amazon Resource Name in its parts. */
export interface Arn {
  readonly text: string;
  readonly partition: string;
  /** `ec2`; not the name on bills. */
  readonly service: string;
  /** Empty where the service's ARNs have none: S3 and whatever is global. */
  readonly region: string;
  /** Empty where there is none: S3. */
  readonly account: string;
  /** `instance`, `loadbalancer/app`; empty where the ARN has none: a bucket, a topic, a queue. */
  readonly type: string;
  /** What comes after the type. */
  readonly id: string;
}

/** The parts of an ARN; null for anything else. */
export function parseArn(text: string): Arn | null {
  const trimmed = text.trim();
  const [, partition = '', service = '', region = '', account = '', rest = ''] =
    /^arn:([^:]*):([^:]+):([^:]*):([^:]*):(.+)$/.exec(trimmed) ?? [];
  if (service === '') return null;
  // `type/id`, `type:id`, or an id alone; a load balancer's kind belongs to its type.
  const [, type = '', id = rest] = /^(loadbalancer\/(?:app|net|gwy)|[A-Za-z][\w-]*)[/:](.+)$/.exec(rest) ?? [];
  return { text: trimmed, partition, service, region, account, type, id };
}

/** Names under which bills may know a resource instead of its ARN: EC2's own ids (`i-0abc`), and a bucket's name. */
export function aliasesOf({ service, type, id }: Arn): string[] {
  if (service === 's3' && type === '') return [id];
  return service === 'ec2' && /^[a-z]+-[0-9a-f]{8,}$/.test(id) ? [id] : [];
}
