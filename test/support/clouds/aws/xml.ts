import type { AwsAnswer } from './fake.ts';

// AWS publishes its answers as the command line prints them, in JSON; EC2 and the query services send XML.

/** Where EC2's element is not the printed name with a small letter, by the element around it, or anywhere. */
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

/** Elements of a query service's list, where they are not the list's name without its last letter. */
const memberNames: Readonly<Record<string, string>> = {
  TagList: 'Tag',
  DBClusterMembers: 'DBClusterMember',
  DBSubnetGroups: 'DBSubnetGroup',
};

/** The answer of an EC2 operation, from what the command line prints of it. */
export function ec2Xml(operation: string, printed: object): AwsAnswer {
  const body = ec2Element(printed, '');
  return {
    xml: `<${operation}Response xmlns="http://ec2.amazonaws.com/doc/2016-11-15/"><requestId>fake</requestId>${body}</${operation}Response>`,
  };
}

/** The same for RDS, ElastiCache and Redshift. */
export function queryXml(operation: string, printed: object): AwsAnswer {
  return {
    xml: `<${operation}Response><${operation}Result>${queryElement(printed)}</${operation}Result><ResponseMetadata><RequestId>fake</RequestId></ResponseMetadata></${operation}Response>`,
  };
}

/** A refusal as EC2 sends it. */
export function ec2Error(status: number, code: string, message: string): AwsAnswer {
  return {
    status,
    xml: `<Response><Errors><Error><Code>${code}</Code><Message>${escaped(message)}</Message></Error></Errors><RequestID>fake</RequestID></Response>`,
  };
}

/** A refusal as RDS, ElastiCache and Redshift send it. */
export function queryError(status: number, code: string, message: string): AwsAnswer {
  return {
    status,
    xml: `<ErrorResponse><Error><Type>Sender</Type><Code>${code}</Code><Message>${escaped(message)}</Message></Error><RequestId>fake</RequestId></ErrorResponse>`,
  };
}

/** A refusal of the services that speak JSON. */
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
