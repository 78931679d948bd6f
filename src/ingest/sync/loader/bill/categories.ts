import { literal } from '../../../../engine/sql.ts';

/** FOCUS ServiceCategory → service names in bills and provider APIs, lower case, separated by bars. */
type Categories = Readonly<Record<string, string>>;

/** Product codes of the Cost and Usage Report, and the larger services' names in it and in Cost Explorer. */
const aws: Categories = {
  Compute: `
    amazonec2 | awslambda | amazonlightsail | awsapprunner | awsoutposts | amazonecs | amazoneks | amazonecr |
    amazonecrpublic | computesavingsplans | amazonappstream | simspaceweaver | vmwarecloudonaws | awsbatch |
    amazon elastic compute cloud | amazon elastic compute cloud - compute | ec2 - other | aws lambda |
    amazon elastic container service | amazon elastic container service for kubernetes | amazon lightsail |
    amazon elastic kubernetes service | amazon ec2 container registry (ecr) | aws app runner | aws fargate |
    savings plans for aws compute usage | aws outposts | aws batch`,
  Storage: `
    amazons3 | amazonglacier | amazons3glacierdeeparchive | amazonebs | amazonefs | amazonfsx | awsbackup |
    awsstoragegateway | awselasticdisasterrecovery | awsstoragegatewaydeeparchive | ingestionservicesnowball |
    amazon simple storage service | amazon elastic file system | amazon fsx | aws backup | amazon glacier |
    aws storage gateway | amazon s3 glacier`,
  Databases: `
    amazonrds | amazondynamodb | amazonelasticache | amazonredshift | amazondocdb | amazonneptune | amazonmcs |
    amazonmemorydb | amazontimestream | amazonqldb | amazon relational database service | amazon dynamodb |
    amazon elasticache | amazon redshift | amazon neptune | amazon memorydb | amazon timestream |
    amazon documentdb (with mongodb compatibility) | amazon keyspaces (for apache cassandra)`,
  Networking: `
    amazonvpc | amazoncloudfront | amazonroute53 | awselb | awsdatatransfer | awsdirectconnect | amazonapigateway |
    awsglobalaccelerator | awscloudmap | awscloudwan | awsnetworkfirewall | awstransitgateway |
    amazon virtual private cloud | elastic load balancing | amazon elastic load balancing | amazon cloudfront |
    amazon route 53 | aws data transfer | aws direct connect | amazon api gateway | aws global accelerator |
    aws network firewall`,
  Analytics: `
    amazonathena | awsglue | amazonkinesis | amazonkinesisfirehose | amazonkinesisanalytics | elasticmapreduce |
    amazones | amazonmsk | amazonquicksight | awslakeformation | datapipeline | amazoncloudsearch | awsdataexchange |
    awscleanrooms | amazon athena | aws glue | amazon kinesis | amazon elastic mapreduce | amazon opensearch service |
    amazon managed streaming for apache kafka | amazon quicksight | amazon kinesis firehose`,
  'AI and Machine Learning': `
    amazonsagemaker | amazonbedrock | amazonbedrockservice | amazonrekognition | amazontextract | comprehend |
    transcribe | translate | amazonpolly | amazonlex | amazonkendra | amazonforecast | amazonpersonalize | amazonq |
    amazonfrauddetector | amazon sagemaker | amazon bedrock | amazon rekognition | amazon textract |
    amazon comprehend | amazon transcribe | amazon translate | amazon polly | amazon lex | amazon kendra`,
  Integration: `
    awsqueueservice | amazonsns | amazonmq | amazonmwaa | amazonstates | awsevents | appflow | awsappfabric |
    amazon simple queue service | amazon simple notification service | aws step functions | amazon eventbridge |
    amazon mq | amazon managed workflows for apache airflow | cloudwatch events`,
  'Management and Governance': `
    amazoncloudwatch | awscloudtrail | awsconfig | awssystemsmanager | awscloudformation | awsservicecatalog |
    awsbudgets | awscostexplorer | amazongrafana | amazonprometheus | awsresiliencehub | awsbillingconductor |
    opsworks | amazon cloudwatch | aws cloudtrail | aws config | aws systems manager | aws cost explorer |
    aws cloudformation | aws budgets | aws service catalog`,
  Security: `
    awskms | awssecretsmanager | awswaf | awsshield | amazonguardduty | awssecurityhub | amazoninspector |
    amazoninspectorv2 | amazonmacie | amazondetective | cloudhsm | awscertificatemanager | awsfms | auditmanager |
    amazonsecuritylake | aws key management service | aws secrets manager | aws waf | aws shield | amazon guardduty |
    aws security hub | amazon inspector | amazon macie | aws certificate manager`,
  Identity: `
    amazoncognito | amazoncognitosync | awsdirectoryservice | amazonverifiedpermissions | amazon cognito |
    aws directory service`,
  'Developer Tools': `
    codebuild | awscodepipeline | awscodecommit | awscodedeploy | awscodeartifact | codeguru | awsdevicefarm |
    awsxray | aws codebuild | aws codepipeline | aws codeartifact | aws x-ray`,
  Web: `
    awsamplify | awsappsync | aws amplify | aws appsync | amazonses | amazon simple email service`,
  'Internet of Things': `
    awsiot | awsiotanalytics | awsiotevents | awsiotsitewise | awsgreengrass | iotdevicemanagement |
    iotdevicedefender | aws iot`,
  Media: `
    awselementalmediaconvert | awselementalmedialive | awselementalmediapackage | awselementalmediastore |
    awsmediaconnect | amazonets | amazonivs | amazonkinesisvideo | amazon kinesis video streams`,
  Migration: `
    awsdatabasemigrationsvc | awsdatasync | awstransfer | awsapplicationmigrationsvc | aws datasync |
    aws transfer family | aws database migration service`,
  'Business Applications': `
    amazonworkmail | amazonworkdocs | amazonchime | amazonconnect | amazonpinpoint | amazonworkspaces |
    amazon workspaces | amazon connect`,
};

/** Resource providers (ConsumedService) of cost details, meter categories and service names. */
const azure: Categories = {
  Compute: `
    microsoft.compute | microsoft.containerservice | microsoft.containerinstance | microsoft.containerregistry |
    microsoft.classiccompute | microsoft.batch | microsoft.desktopvirtualization | microsoft.avs | microsoft.app |
    virtual machines | virtual machines licenses | virtual machine scale sets | azure kubernetes service | functions |
    container instances | container registry | azure container apps | cloud services | azure vmware solution |
    azure virtual desktop | specialized compute`,
  Storage: `
    microsoft.storage | microsoft.classicstorage | microsoft.storagesync | microsoft.netapp |
    microsoft.recoveryservices | microsoft.datalakestore | microsoft.storagecache | storage | storage accounts |
    backup | azure backup | azure netapp files | azure data lake store`,
  Databases: `
    microsoft.sql | microsoft.documentdb | microsoft.dbformysql | microsoft.dbforpostgresql | microsoft.dbformariadb |
    microsoft.cache | microsoft.sqlvirtualmachine | sql database | sql managed instance | azure sql database |
    azure cosmos db | cosmos db | azure database for mysql | azure database for postgresql | redis cache |
    azure cache for redis | azure db for mysql | azure db for postgresql | azure database for mariadb`,
  Networking: `
    microsoft.network | microsoft.cdn | microsoft.classicnetwork | microsoft.relay | virtual network | bandwidth |
    load balancer | vpn gateway | azure dns | application gateway | azure firewall | expressroute | nat gateway |
    content delivery network | azure front door service | traffic manager | virtual wan | azure bastion |
    network watcher | azure ddos protection`,
  Analytics: `
    microsoft.synapse | microsoft.databricks | microsoft.kusto | microsoft.hdinsight | microsoft.streamanalytics |
    microsoft.search | microsoft.datalakeanalytics | microsoft.fabric | microsoft.dashboard | azure databricks |
    azure synapse analytics | azure data explorer | hdinsight | stream analytics | azure cognitive search |
    azure ai search | power bi embedded | azure analysis services`,
  'AI and Machine Learning': `
    microsoft.cognitiveservices | microsoft.machinelearningservices | microsoft.machinelearning |
    microsoft.botservice | cognitive services | azure machine learning | azure openai | foundry models |
    azure bot service | azure applied ai services | azure ai services`,
  Integration: `
    microsoft.datafactory | microsoft.eventhub | microsoft.servicebus | microsoft.eventgrid | microsoft.logic |
    microsoft.apimanagement | microsoft.communication | microsoft.notificationhubs | microsoft.automation |
    azure data factory | azure data factory v2 | event hubs | service bus | event grid | logic apps | api management |
    automation | notification hubs`,
  'Management and Governance': `
    microsoft.insights | microsoft.operationalinsights | microsoft.operationsmanagement | microsoft.costmanagement |
    microsoft.alertsmanagement | microsoft.policyinsights | azure monitor | log analytics | application insights |
    azure site recovery | microsoft purview | azure policy`,
  Security: `
    microsoft.keyvault | microsoft.security | microsoft.securityinsights | key vault | security center | sentinel |
    microsoft defender for cloud | advanced threat protection | azure dedicated hsm`,
  Identity: `
    microsoft.aad | microsoft.azureactivedirectory | microsoft.managedidentity | azure active directory |
    azure active directory for external identities | microsoft entra id`,
  Web: `
    microsoft.web | microsoft.appconfiguration | microsoft.signalrservice | microsoft.maps | azure app service |
    app configuration | signalr | azure maps | azure spring apps`,
  'Developer Tools': `
    microsoft.visualstudio | microsoft.devtestlab | microsoft.loadtestservice | microsoft.devcenter | azure devops |
    azure load testing | microsoft dev box`,
  'Internet of Things': `
    microsoft.devices | microsoft.digitaltwins | microsoft.iotcentral | iot hub | iot central | digital twins`,
  Multicloud: `
    microsoft.hybridcompute | microsoft.azurestackhci | microsoft.databoxedge | azure arc enabled servers |
    azure stack hci | azure stack edge`,
  Media: `
    microsoft.media | media services`,
  Migration: `
    microsoft.migrate | microsoft.datamigration | microsoft.datashare | azure migrate | data box`,
};

/** Service descriptions of the Cloud Billing catalog: neither Google’s FOCUS table nor its exports have a category. */
const gcp: Categories = {
  Compute: `
    compute engine | kubernetes engine | app engine | cloud run | cloud run functions | cloud functions |
    vmware engine | anthos | artifact registry | batch | confidential computing | bare metal solution | vm manager`,
  Storage: `
    cloud storage | cloud filestore | backup for gke | backup and dr service | netapp volumes | transfer service |
    parallelstore`,
  Databases: `
    cloud sql | cloud spanner | spanner | cloud bigtable | bigtable | cloud firestore | firebase realtime database |
    cloud memorystore for redis | cloud memorystore for memcached | memorystore | alloydb | datastream`,
  Networking: `
    networking | cloud dns | cloud cdn | network intelligence center | cloud interconnect | cloud vpn |
    network connectivity center | cloud load balancing`,
  Analytics: `
    bigquery | bigquery reservation api | bigquery bi engine | bigquery storage api | cloud dataflow |
    cloud dataproc | cloud composer | cloud data fusion | data catalog | dataplex | looker | looker studio |
    analytics hub`,
  'AI and Machine Learning': `
    vertex ai | gemini api | cloud machine learning engine | cloud natural language | cloud vision api | cloud tpu |
    cloud speech api | cloud text-to-speech api | translate | cloud document ai api | cloud dialogflow api |
    cloud video intelligence api | recommendations ai | notebooks | cloud automl`,
  Integration: `
    cloud pub/sub | pub/sub lite | api gateway | apigee | cloud tasks | cloud scheduler | workflows | eventarc |
    application integration`,
  'Management and Governance': `
    cloud logging | cloud monitoring | stackdriver | stackdriver monitoring | stackdriver logging | cloud trace |
    stackdriver trace | cloud billing | support`,
  Security: `
    cloud key management service (kms) | secret manager | security command center | cloud armor | cloud ids |
    certificate authority service | web risk | recaptcha enterprise | cloud data loss prevention |
    binary authorization`,
  Identity: `
    identity platform | firebase auth | cloud identity | identity-aware proxy`,
  'Developer Tools': `
    cloud build | source repository | remote build execution | cloud workstations | cloud deploy`,
  Web: `
    maps api | geocoding api | places api | directions api | distance matrix api | cloud domains | custom search |
    maps static api | roads api`,
  'Internet of Things': `
    cloud iot core`,
  Mobile: `
    firebase | firebase hosting | firebase test lab | firebase cloud messaging`,
  Media: `
    transcoder api | live stream api | video stitcher api | zync`,
  Migration: `
    bigquery data transfer service | transfer appliance | database migration | storage transfer service`,
};

/** Joins all services of a provider into one text, `|amazonec2=Compute|`: a list of comparisons would take longer to plan than
 *  a small bill takes to read. */
function asText(categories: Categories): string {
  const entries = Object.entries(categories).flatMap(([category, services]) =>
    services.split('|').map((service) => `${service.trim()}=${category}`),
  );
  return `|${[...new Set(entries)].join('|')}|`;
}

/** Returns SQL for the FOCUS ServiceCategory of a group whose bill has none: by service name, otherwise by service code, which
 *  is stored in the category after `codeMark`; null if neither is known.
 *  @param vendor SQL of the provider's slug */
export function categoryOf(vendor: string, name: string, category: string): string {
  const table = `CASE ${vendor} WHEN 'aws' THEN ${literal(asText(aws))} WHEN 'azure' THEN ${literal(asText(azure))} WHEN 'gcp' THEN ${literal(asText(gcp))} END`;
  const found = (key: string) =>
    `nullif(split_part(split_part(${table}, concat('|', lower(${key}), '='), 2), '|', 1), '')`;
  return `coalesce(${found(name)}, ${found(`substr(${category}, ${codeMark.length + 1})`)})`;
}

/** Prefix of a service code whose category is not determined yet. */
export const codeMark = '@';
