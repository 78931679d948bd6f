{{- define "costkeep.name" -}}
{{- .Release.Name | trunc 50 | trimSuffix "-" -}}
{{- end -}}

{{- define "costkeep.selector" -}}
app.kubernetes.io/name: costkeep
app.kubernetes.io/instance: {{ .Release.Name }}
{{- end -}}

{{- define "costkeep.labels" -}}
{{ include "costkeep.selector" . }}
app.kubernetes.io/version: {{ .Chart.AppVersion | quote }}
app.kubernetes.io/managed-by: {{ .Release.Service }}
helm.sh/chart: {{ .Chart.Name }}-{{ .Chart.Version }}
{{- end -}}

{{- /* Variables of the server and the workers. */ -}}
{{- define "costkeep.env" -}}
env:
  - name: HOST
    value: 0.0.0.0
  - name: PORT
    value: '3000'
  - name: DATA_DIR
    value: /data
  {{- range $name, $value := omit .Values.env "HOST" "PORT" "DATA_DIR" }}
  - name: {{ $name }}
    value: {{ $value | toString | quote }}
  {{- end }}
{{- if or .Values.secretEnv .Values.existingSecret }}
envFrom:
  {{- if .Values.secretEnv }}
  - secretRef:
      name: {{ include "costkeep.name" . }}
  {{- end }}
  {{- if .Values.existingSecret }}
  - secretRef:
      name: {{ .Values.existingSecret }}
  {{- end }}
{{- end }}
{{- end -}}

{{- define "costkeep.image" -}}
image: {{ printf "%s:%s" .Values.image.repository (.Values.image.tag | default .Chart.AppVersion) | quote }}
imagePullPolicy: {{ .Values.image.pullPolicy }}
securityContext:
  allowPrivilegeEscalation: false
  readOnlyRootFilesystem: true
  capabilities:
    drop: [ALL]
{{- end -}}

{{- /* Settings of all pods: the user, and scheduling. */ -}}
{{- define "costkeep.pod" -}}
serviceAccountName: {{ include "costkeep.name" . }}
automountServiceAccountToken: false
# Variables of services, such as COSTKEEP_PORT, would look like settings.
enableServiceLinks: false
terminationGracePeriodSeconds: 30
securityContext:
  runAsNonRoot: true
  runAsUser: 10001
  runAsGroup: 10001
  fsGroup: 10001
  fsGroupChangePolicy: OnRootMismatch
  seccompProfile:
    type: RuntimeDefault
{{- with .Values.imagePullSecrets }}
imagePullSecrets:
  {{- toYaml . | nindent 2 }}
{{- end }}
{{- with .Values.nodeSelector }}
nodeSelector:
  {{- toYaml . | nindent 2 }}
{{- end }}
{{- with .Values.tolerations }}
tolerations:
  {{- toYaml . | nindent 2 }}
{{- end }}
{{- with .Values.affinity }}
affinity:
  {{- toYaml . | nindent 2 }}
{{- end }}
{{- end -}}

{{- /* A server listens at once while it converts facts after an upgrade: it is live, but not ready. */ -}}
{{- define "costkeep.probes" -}}
{{- $scheme := empty .Values.env.TLS_CERT | ternary "HTTP" "HTTPS" -}}
startupProbe:
  httpGet: { path: /health, port: http, scheme: {{ $scheme }} }
  periodSeconds: 2
  # Ten minutes: the server does not listen while a migration of the database runs.
  failureThreshold: 300
livenessProbe:
  httpGet: { path: /health, port: http, scheme: {{ $scheme }} }
  periodSeconds: 10
  timeoutSeconds: 5
  failureThreshold: 6
readinessProbe:
  httpGet: { path: /ready, port: http, scheme: {{ $scheme }} }
  periodSeconds: 5
  timeoutSeconds: 5
{{- end -}}

{{- /* A checksum restarts pods whose secrets have changed. */ -}}
{{- define "costkeep.annotations" -}}
checksum/secrets: {{ .Values.secretEnv | toYaml | sha256sum }}
{{- with .Values.podAnnotations }}
{{ toYaml . }}
{{- end }}
{{- end -}}
