import type { AwsAnswer } from './fake.ts';

// AWS publishes responses as printed by the CLI, in JSON; EC2 and the query services send XML.

/** EC2 elements that differ from the printed name in lower camel case, by parent element or anywhere. */
const ec2Names: Readonly<Record<string, string>> = {
  'instancesSet.State': 'instanceState',
  'instancesSet.SecurityGroups': 'groupSet',
  'attachmentSet.State': 'status',
  'volumeSet.State': 'status',
  'snapshotSet.State': 'status',
  'imagesSet.State': 'imageState',
  Addresses: 'addressesSet',
  Attachments: 'attachmentSet',
  BlockDeviceMappings: 'blockDeviceMapping',
  Endpoint: 'regionEndpoint',
  Groups: 'groupSet',
  Images: 'imagesSet',
  Instances: 'instancesSet',
  NatGatewayAddresses: 'natGatewayAddressSet',
  NatGateways: 'natGatewaySet',
  NetworkInterfaces: 'networkInterfaceSet',
  PrivateIpAddresses: 'privateIpAddressesSet',
  PublicDnsName: 'dnsName',
  PublicIpAddress: 'ipAddress',
  Regions: 'regionInfo',
  Reservations: 'reservationSet',
  ReservedInstances: 'reservedInstancesSet',
  Snapshots: 'snapshotSet',
  StateTransitionReason: 'reason',
  Tags: 'tagSet',
  Volumes: 'volumeSet',
  VpcEndpoints: 'vpcEndpointSet',
};

/** Item elements of query services that are not the singular of the list name. */
const memberNames: Readonly<Record<string, string>> = {
  TagList: 'Tag',
  DBClusterMembers: 'DBClusterMember',
  DBSubnetGroups: 'DBSubnetGroup',
};

/** The response of an EC2 operation, from its CLI output. */
export function ec2Xml(operation: string, printed: object): AwsAnswer {
  const body = ec2Element(printed, '');
  return {
    xml: `<${operation}Response xmlns="http://ec2.amazonaws.com/doc/2016-11-15/"><requestId>fake</requestId>${body}</${operation}Response>`,
  };
}

/** The response of an operation of RDS, ElastiCache or Redshift, from its CLI output. */
export function queryXml(operation: string, printed: object): AwsAnswer {
  return {
    xml: `<${operation}Response><${operation}Result>${queryElement(printed)}</${operation}Result><ResponseMetadata><RequestId>fake</RequestId></ResponseMetadata></${operation}Response>`,
  };
}

/** An error of EC2. */
export function ec2Error(status: number, code: string, message: string): AwsAnswer {
  return {
    status,
    xml: `<Response><Errors><Error><Code>${code}</Code><Message>${escaped(message)}</Message></Error></Errors><RequestID>fake</RequestID></Response>`,
  };
}

/** An error of RDS, ElastiCache and Redshift. */
export function queryError(status: number, code: string, message: string): AwsAnswer {
  return {
    status,
    xml: `<ErrorResponse><Error><Type>Sender</Type><Code>${code}</Code><Message>${escaped(message)}</Message></Error><RequestId>fake</RequestId></ErrorResponse>`,
  };
}

/** An error of JSON services. */
export function jsonError(status: number, code: string, message: string): AwsAnswer {
  return { status, headers: { 'x-amzn-errortype': code }, json: { __type: code, message, Message: message } };
}

function ec2Element(value: unknown, around: string): string {
  if (!isRecord(value)) return escaped(String(value));
  return Object.entries(value)
    .map(([key, each]) => {
      const name = ec2Names[`${around}.${key}`] ?? ec2Names[key] ?? key.charAt(0).toLowerCase() + key.slice(1);
      const inner = Array.isArray(each)
        ? each.map((item) => `<item>${ec2Element(item, name)}</item>`).join('')
        : ec2Element(each, name);
      return `<${name}>${inner}</${name}>`;
    })
    .join('');
}

function queryElement(value: unknown): string {
  if (!isRecord(value)) return escaped(String(value));
  return Object.entries(value)
    .map(([key, each]) => {
      const member = memberNames[key] ?? key.slice(0, -1);
      const inner = Array.isArray(each)
        ? each.map((item) => `<${member}>${queryElement(item)}</${member}>`).join('')
        : queryElement(each);
      return `<${key}>${inner}</${key}>`;
    })
    .join('');
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null;
}

function escaped(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');
}
