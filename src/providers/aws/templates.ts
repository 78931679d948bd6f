import type { GuideTemplate } from '../guide/names.ts';

interface Role {
  readonly name: string;
  readonly policy: object;
  readonly trustPolicy: object;
}

/** Infrastructure as code that creates the role: a CloudFormation template and a Terraform configuration. */
export function roleTemplates(role: Role): GuideTemplate[] {
  return [
    {
      title: 'CloudFormation template: create a stack with it in the payer account',
      name: 'costkeep-role.json',
      content: cloudFormation(role),
    },
    { title: 'Terraform configuration', name: 'costkeep-role.tf', content: terraform(role) },
  ];
}

function cloudFormation({ name, policy, trustPolicy }: Role): string {
  const template = {
    AWSTemplateFormatVersion: '2010-09-09',
    Description: 'Read-only role of Costkeep',
    Resources: {
      CostkeepRole: {
        Type: 'AWS::IAM::Role',
        Properties: {
          RoleName: name,
          AssumeRolePolicyDocument: trustPolicy,
          Policies: [{ PolicyName: 'costkeep-read', PolicyDocument: policy }],
        },
      },
    },
    Outputs: { RoleArn: { Value: { 'Fn::GetAtt': ['CostkeepRole', 'Arn'] } } },
  };
  return `${JSON.stringify(template, null, 2)}\n`;
}

function terraform({ name, policy, trustPolicy }: Role): string {
  return `resource "aws_iam_role" "costkeep" {
  name               = ${text(name)}
  assume_role_policy = ${document(trustPolicy)}
}

resource "aws_iam_role_policy" "costkeep_read" {
  name   = "costkeep-read"
  role   = aws_iam_role.costkeep.id
  policy = ${document(policy)}
}

output "role_arn" {
  value = aws_iam_role.costkeep.arn
}
`;
}

/** Escapes `${` and `%{`, which start templates in strings of HCL; any other JSON is valid HCL. */
function document(value: object): string {
  const json = JSON.stringify(value, null, 2).replaceAll('${', '$${').replaceAll('%{', '%%{');
  return `jsonencode(${json.replaceAll('\n', '\n  ')})`;
}

function text(value: string): string {
  return JSON.stringify(value).replaceAll('${', '$${').replaceAll('%{', '%%{');
}
