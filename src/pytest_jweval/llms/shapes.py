"""What secrets look like: a name for each shape, and a pattern.

Tokens are looked for within runs of characters that tokens are made of, so that prose costs next to nothing.
The patterns follow what the providers say of their own keys; a prefix is what makes a key known.
"""

import re

# Longer names first where one begins like another.
_TOKENS = {
    "anthropic": r"sk-ant-[a-z]{3,10}\d{0,2}-[\w-]{20,}",
    "openrouter": r"sk-or-v1-[0-9a-f]{40,}",
    "langfuse": r"[sp]k-lf-[0-9a-f]{8}-[0-9a-f-]{20,}",
    "openai": r"sk-(?:proj|svcacct|admin|None)-[\w-]{20,}|sk-[A-Za-z0-9]{20,}",
    "google-api": r"AIza[\w-]{30,}",
    "google-oauth": r"GOCSPX-[\w-]{20,}|ya29\.[\w-]{20,}|1//0[\w-]{30,}",
    "aws-key-id": r"(?<![A-Z0-9])(?:AKIA|ASIA|ABIA|ACCA)[A-Z0-9]{16}(?![A-Z0-9])",
    "aws-bedrock": r"ABSK[A-Za-z0-9+/]{80,}=*",
    "azure-account": r"(?<=AccountKey=)[A-Za-z0-9+/]{40,}=*",
    "azure-shared": r"(?<=SharedAccessKey=)[A-Za-z0-9+/]{40,}=*",
    "azure-signature": r"(?<=[?&]sig=)[A-Za-z0-9%+/]{30,}=*",
    "azure-client": r"[\w.~]{3}\dQ~[\w.~-]{31,34}",
    "github": r"gh[pousr]_[A-Za-z0-9]{30,}|github_pat_\w{22,}",
    "gitlab": r"gl(?:pat|ptt|dt|rt|cbt|soat|ft|imt|agent|oas)-[\w-]{16,}",
    "slack": r"xox[abeoprs]-[\w-]{10,}|xapp-\d-[\w-]{10,}",
    "slack-webhook": r"(?<=hooks\.slack\.com/)(?:services|workflows)/[\w/]{20,}",
    "discord-webhook": r"(?<=/api/webhooks/)\d{16,20}/[\w-]{40,}",
    "discord": r"[MNO][\w-]{23,25}\.[\w-]{6}\.[\w-]{27,}",
    "telegram": r"(?<!\d)\d{8,10}:AA[\w-]{32,}",
    "stripe": r"[sr]k_(?:live|test)_[A-Za-z0-9]{16,}",
    "webhook": r"whsec_[A-Za-z0-9+/]{24,}=*",
    "twilio": r"\bSK[0-9a-f]{32}\b",
    "sendgrid": r"SG\.[\w-]{16,}\.[\w-]{30,}",
    "mailgun": r"\bkey-[0-9a-f]{32}\b",
    "mailchimp": r"\b[0-9a-f]{32}-us\d{1,2}\b",
    "npm": r"npm_[A-Za-z0-9]{36}",
    "pypi": r"pypi-[\w-]{50,}",
    "rubygems": r"rubygems_[0-9a-f]{48}",
    "crates": r"\bcio[A-Za-z0-9]{32}\b",
    "docker": r"dckr_[a-z]{3}_[\w-]{20,}",
    "huggingface": r"\bhf_[A-Za-z0-9]{30,}|\bapi_org_[A-Za-z0-9]{30,}",
    "groq": r"\bgsk_[A-Za-z0-9]{40,}",
    "xai": r"\bxai-[A-Za-z0-9]{60,}",
    "perplexity": r"\bpplx-[A-Za-z0-9]{40,}",
    "replicate": r"\br8_[A-Za-z0-9]{30,}",
    "nvidia": r"\bnvapi-[\w-]{50,}",
    "fireworks": r"\bfw_[A-Za-z0-9]{20,}",
    "together": r"\btgp_v1_[\w-]{30,}",
    "cerebras": r"\bcsk-[a-z0-9]{40,}",
    "voyage": r"\bpa-[\w-]{40,}",
    "langsmith": r"\blsv2_[a-z]{2}_[0-9a-f]{32}_[0-9a-f]{10}",
    "pinecone": r"\bpcsk_\w{40,}",
    "databricks": r"\bdapi[0-9a-f]{32}(?:-\d+)?\b",
    "digitalocean": r"\bdo[opr]_v1_[0-9a-f]{64}",
    "heroku": r"\bHRKU-[\w-]{30,}",
    "vault": r"\bhv[sbr]\.[\w-]{24,}",
    "terraform": r"[A-Za-z0-9]{14}\.atlasv1\.[\w-]{50,}",
    "doppler": r"\bdp\.[a-z]{2,5}\.[\w.-]{40,}",
    "linear": r"\blin_(?:api|oauth)_[A-Za-z0-9]{32,}",
    "notion": r"\bntn_[A-Za-z0-9]{40,}|\bsecret_[A-Za-z0-9]{43}\b",
    "airtable": r"\bpat[A-Za-z0-9]{14}\.[0-9a-f]{64}",
    "shopify": r"\bshp(?:at|ca|pa|ss)_[0-9a-fA-F]{32}",
    "square": r"\bsq0[a-z]{3}-[\w-]{22,}",
    "newrelic": r"\bNRAK-[A-Z0-9]{27}",
    "grafana": r"\bglsa_[A-Za-z0-9]{32}_[0-9a-f]{8}|\bglc_[A-Za-z0-9+/]{32,}=*",
    "sentry": r"\bsntry[su]_[\w+/=-]{40,}",
    "postman": r"\bPMAK-[0-9a-f]{24}-[0-9a-f]{34}",
    "figma": r"\bfig[dou]_[\w-]{32,}",
    "supabase": r"\bsbp_[0-9a-f]{40}|\bsb_secret_[\w-]{20,}",
    "planetscale": r"\bpscale_[a-z]+_[\w.-]{30,}",
    "atlassian": r"\bATATT3[\w=-]{50,}",
    "cloudflare": r"\bv1\.0-[0-9a-f]{24}-[0-9a-f]{100,}",
    "age": r"AGE-SECRET-KEY-1[0-9A-Z]{58}",
    "jwt": r"\beyJ[\w-]{8,}\.eyJ[\w-]{8,}(?:\.[\w-]*)?",
}

# Names without what may stand before them: a second ``\w*`` would make long words cost their square.
_NAMED = r"(?:api|access|secret|private|account)[_-]?key|secret|[_-]token|(?:access|auth|refresh)token"
_WORD = r"password|passwd|passphrase|_pwd"
_IS = r"""\\*["']?\s*[=:]\s*\\*["']?"""

# What is known by what stands around it; the group is the secret.
_AROUND = {
    "private-key": (
        r"-----BEGIN[A-Z ]{0,20} PRIVATE KEY(?: BLOCK)?-----"
        r"(?s:.{0,20000}?)(?:-----END[^-\n]{0,40}-----|\Z)"
    ),
    "cookie": r"(?i)cookie\s*:\s*(?P<secret>[\w.-]+=[^\r\n]{4,})",
    "bearer": r"(?i)bearer\s+(?P<secret>[\w.~+/=:-]{16,})",
    "basic": r"(?i)authorization\\*[\"']?\s*[:=]\s*\\*[\"']?basic\s+(?P<secret>[a-z0-9+/]{8,}=*)",
    "url-password": r"(?i)\b[a-z][a-z0-9+.-]{1,20}://[^/?#\s:@\"']*:(?P<secret>[^/?#\s@\"']+)@",
    "password": rf"(?i)(?:{_WORD}){_IS}(?P<secret>[^\s\"',;&]{{6,}})",
    "named": rf"(?i)(?:{_NAMED}|token){_IS}(?P<secret>(?=[^\s\"',;&]*\d)[^\s\"',;&]{{12,}})",
}

RUN = re.compile(r"[\w.~+/=:%?&-]{15,}", re.ASCII)
TOKENS = {kind: re.compile(pattern, re.ASCII) for kind, pattern in _TOKENS.items()}
AROUND = {kind: re.compile(pattern) for kind, pattern in _AROUND.items()}
NAME = re.compile(rf"(?i).*(?:{_NAMED}|{_WORD}|authorization|cookie|credentials?)")
