CREATE TABLE evenhand_version (
    version_num VARCHAR(32) NOT NULL,
    CONSTRAINT evenhand_version_pkc PRIMARY KEY (version_num)
);

CREATE TABLE counters (
    name VARCHAR(32) NOT NULL,
    value BIGINT NOT NULL,
    CONSTRAINT pk_counters PRIMARY KEY (name)
);

INSERT INTO counters (name, value) VALUES ('revision', 0);

CREATE TABLE jobs (
    id VARCHAR(32) NOT NULL,
    title TEXT,
    text TEXT NOT NULL,
    requirements TEXT NOT NULL,
    created DATETIME NOT NULL,
    closed DATETIME,
    CONSTRAINT pk_jobs PRIMARY KEY (id)
);

CREATE TABLE candidates (
    id VARCHAR(32) NOT NULL,
    form TEXT NOT NULL,
    created DATETIME NOT NULL,
    CONSTRAINT pk_candidates PRIMARY KEY (id)
);

CREATE TABLE documents (
    sha256 VARCHAR(64) NOT NULL,
    size_bytes BIGINT NOT NULL,
    format VARCHAR(16),
    file TEXT,
    received DATETIME NOT NULL,
    CONSTRAINT pk_documents PRIMARY KEY (sha256)
);

CREATE TABLE watch_entries (
    list VARCHAR(32) NOT NULL,
    name TEXT NOT NULL,
    note TEXT,
    added DATETIME NOT NULL,
    CONSTRAINT pk_watch_entries PRIMARY KEY (list, name)
);

CREATE TABLE applications (
    id VARCHAR(32) NOT NULL,
    job VARCHAR(32) NOT NULL,
    candidate VARCHAR(32) NOT NULL,
    document VARCHAR(64) NOT NULL,
    source TEXT,
    status VARCHAR(16) NOT NULL,
    file TEXT,
    received DATETIME NOT NULL,
    revision BIGINT NOT NULL,
    content BIGINT NOT NULL,
    CONSTRAINT pk_applications PRIMARY KEY (id),
    CONSTRAINT fk_applications_candidate FOREIGN KEY(candidate) REFERENCES candidates (id),
    CONSTRAINT fk_applications_document FOREIGN KEY(document) REFERENCES documents (sha256),
    CONSTRAINT fk_applications_job FOREIGN KEY(job) REFERENCES jobs (id),
    CONSTRAINT uq_applications_job_document UNIQUE (job, document),
    CONSTRAINT uq_applications_revision UNIQUE (revision)
);

CREATE INDEX ix_applications_candidate ON applications (candidate);

CREATE INDEX ix_applications_document ON applications (document);

CREATE TABLE labels (
    application VARCHAR(32) NOT NULL,
    user TEXT NOT NULL,
    version INTEGER NOT NULL,
    label VARCHAR(32) NOT NULL,
    time DATETIME NOT NULL,
    CONSTRAINT pk_labels PRIMARY KEY (application, user, version),
    CONSTRAINT fk_labels_application FOREIGN KEY(application) REFERENCES applications (id) ON DELETE CASCADE
);

CREATE TABLE removed (
    application VARCHAR(32) NOT NULL,
    revision BIGINT NOT NULL,
    CONSTRAINT pk_removed PRIMARY KEY (application)
);

CREATE INDEX ix_removed_revision ON removed (revision);

CREATE TABLE decisions (
    id INTEGER NOT NULL,
    application VARCHAR(32) NOT NULL,
    action VARCHAR(16) NOT NULL,
    from_status VARCHAR(16) NOT NULL,
    to_status VARCHAR(16) NOT NULL,
    actor TEXT NOT NULL,
    reason TEXT NOT NULL,
    batch VARCHAR(32) NOT NULL,
    time DATETIME NOT NULL,
    undone_by INTEGER,
    CONSTRAINT pk_decisions PRIMARY KEY (id),
    CONSTRAINT fk_decisions_undone_by FOREIGN KEY(undone_by) REFERENCES decisions (id)
);

CREATE INDEX ix_decisions_application ON decisions (application);

CREATE INDEX ix_decisions_batch_application ON decisions (batch, application);

CREATE TABLE refusals (
    id INTEGER NOT NULL,
    job VARCHAR(32) NOT NULL,
    file TEXT NOT NULL,
    sha256 VARCHAR(64),
    code VARCHAR(32) NOT NULL,
    message TEXT NOT NULL,
    received DATETIME NOT NULL,
    CONSTRAINT pk_refusals PRIMARY KEY (id),
    CONSTRAINT fk_refusals_job FOREIGN KEY(job) REFERENCES jobs (id)
);

CREATE INDEX ix_refusals_job ON refusals (job);

CREATE TABLE mined_documents (
    sha256 VARCHAR(64) NOT NULL,
    status VARCHAR(16) NOT NULL,
    error_code VARCHAR(32),
    error_message TEXT,
    warnings TEXT NOT NULL,
    text BLOB NOT NULL,
    document BLOB NOT NULL,
    CONSTRAINT pk_mined_documents PRIMARY KEY (sha256)
);

CREATE TABLE mined_profiles (
    sha256 VARCHAR(64) NOT NULL,
    as_of VARCHAR(16) NOT NULL,
    miner TEXT NOT NULL,
    profile BLOB NOT NULL,
    CONSTRAINT pk_mined_profiles PRIMARY KEY (sha256)
);

CREATE TABLE mined_digests (
    sha256 VARCHAR(64) NOT NULL,
    version TEXT NOT NULL,
    digest BLOB NOT NULL,
    CONSTRAINT pk_mined_digests PRIMARY KEY (sha256)
);

CREATE TABLE mined_sketches (
    sha256 VARCHAR(64) NOT NULL,
    sketch BLOB NOT NULL,
    compared BOOLEAN NOT NULL,
    CONSTRAINT pk_mined_sketches PRIMARY KEY (sha256)
);

CREATE INDEX ix_mined_sketches_compared_sha256 ON mined_sketches (compared, sha256);

CREATE TABLE mined_duplicates (
    first VARCHAR(64) NOT NULL,
    second VARCHAR(64) NOT NULL,
    resemblance FLOAT NOT NULL,
    CONSTRAINT pk_mined_duplicates PRIMARY KEY (first, second)
);

CREATE INDEX ix_mined_duplicates_second ON mined_duplicates (second);

ALTER TABLE decisions ADD COLUMN bulk BOOLEAN DEFAULT 0 NOT NULL;

CREATE TABLE ledger (
    sequence INTEGER NOT NULL,
    time VARCHAR(40) NOT NULL,
    kind VARCHAR(16) NOT NULL,
    actor VARCHAR(64) NOT NULL,
    job VARCHAR(32),
    body TEXT NOT NULL,
    previous VARCHAR(64) NOT NULL,
    hash VARCHAR(64) NOT NULL,
    CONSTRAINT pk_ledger PRIMARY KEY (sequence)
);

CREATE INDEX ix_ledger_job_sequence ON ledger (job, sequence);

CREATE INDEX ix_ledger_kind_sequence ON ledger (kind, sequence);

CREATE INDEX ix_ledger_job_kind_sequence ON ledger (job, kind, sequence);

CREATE TABLE seals (
    kind VARCHAR(16) NOT NULL,
    "key" TEXT NOT NULL,
    salt VARCHAR(32) NOT NULL,
    seal VARCHAR(64) NOT NULL,
    CONSTRAINT pk_seals PRIMARY KEY (kind, "key"),
    CONSTRAINT uq_seals_seal UNIQUE (seal)
);

CREATE TABLE openings (
    sequence BIGINT NOT NULL,
    name VARCHAR(32) NOT NULL,
    application VARCHAR(32),
    salt VARCHAR(32) NOT NULL,
    value BLOB NOT NULL,
    CONSTRAINT pk_openings PRIMARY KEY (sequence, name)
);

CREATE INDEX ix_openings_application ON openings (application);

CREATE TABLE mentions (
    application VARCHAR(32) NOT NULL,
    sequence BIGINT NOT NULL,
    CONSTRAINT pk_mentions PRIMARY KEY (application, sequence)
);

CREATE TABLE job_versions (
    job VARCHAR(32) NOT NULL,
    sequence BIGINT NOT NULL,
    until BIGINT NOT NULL,
    hash VARCHAR(64) NOT NULL,
    requirements TEXT NOT NULL,
    CONSTRAINT pk_job_versions PRIMARY KEY (job, sequence)
);

CREATE TABLE mined_versions (
    id INTEGER NOT NULL,
    sha256 VARCHAR(64) NOT NULL,
    sequence BIGINT,
    until BIGINT,
    hash VARCHAR(64) NOT NULL,
    miner TEXT,
    text BLOB,
    profile BLOB,
    digest_version TEXT,
    digest BLOB,
    CONSTRAINT pk_mined_versions PRIMARY KEY (id)
);

CREATE INDEX ix_mined_versions_sha256_until ON mined_versions (sha256, until);

ALTER TABLE decisions ADD COLUMN sequence BIGINT;

CREATE INDEX ix_decisions_sequence ON decisions (sequence);

CREATE TRIGGER ledger_refuses_UPDATE BEFORE UPDATE ON ledger BEGIN SELECT RAISE(ABORT, 'the ledger is appended to, and nothing else'); END;

CREATE TRIGGER ledger_refuses_DELETE BEFORE DELETE ON ledger BEGIN SELECT RAISE(ABORT, 'the ledger is appended to, and nothing else'); END;

CREATE TABLE users (
    id VARCHAR(32) NOT NULL,
    login TEXT NOT NULL,
    name TEXT NOT NULL,
    role VARCHAR(16) NOT NULL,
    password TEXT,
    created DATETIME NOT NULL,
    disabled DATETIME,
    CONSTRAINT pk_users PRIMARY KEY (id),
    CONSTRAINT uq_users_login UNIQUE (login)
);

CREATE TABLE sessions (
    hash VARCHAR(64) NOT NULL,
    id VARCHAR(32) NOT NULL,
    user VARCHAR(32) NOT NULL,
    opened DATETIME NOT NULL,
    seen DATETIME NOT NULL,
    CONSTRAINT pk_sessions PRIMARY KEY (hash),
    CONSTRAINT uq_sessions_id UNIQUE (id),
    CONSTRAINT fk_sessions_user FOREIGN KEY(user) REFERENCES users (id) ON DELETE CASCADE
);

CREATE TABLE links (
    hash VARCHAR(64) NOT NULL,
    kind VARCHAR(16) NOT NULL,
    user VARCHAR(32) NOT NULL,
    expires DATETIME NOT NULL,
    CONSTRAINT pk_links PRIMARY KEY (hash),
    CONSTRAINT fk_links_user FOREIGN KEY(user) REFERENCES users (id) ON DELETE CASCADE
);

CREATE TABLE tokens (
    id VARCHAR(32) NOT NULL,
    hash VARCHAR(64) NOT NULL,
    user VARCHAR(32) NOT NULL,
    name TEXT NOT NULL,
    created DATETIME NOT NULL,
    expires DATETIME NOT NULL,
    used DATETIME,
    CONSTRAINT pk_tokens PRIMARY KEY (id),
    CONSTRAINT uq_tokens_hash UNIQUE (hash),
    CONSTRAINT fk_tokens_user FOREIGN KEY(user) REFERENCES users (id) ON DELETE CASCADE
);

CREATE INDEX ix_sessions_user ON sessions (user);

CREATE INDEX ix_links_user ON links (user);

CREATE INDEX ix_tokens_user ON tokens (user);

CREATE TABLE throttle (
    kind VARCHAR(16) NOT NULL,
    hash VARCHAR(64) NOT NULL,
    failures INTEGER NOT NULL,
    last DATETIME NOT NULL,
    until DATETIME NOT NULL,
    CONSTRAINT pk_throttle PRIMARY KEY (kind, hash)
);

CREATE INDEX ix_throttle_last ON throttle (last);

CREATE TABLE job_access (
    job VARCHAR(32) NOT NULL,
    user VARCHAR(32) NOT NULL,
    given DATETIME NOT NULL,
    CONSTRAINT pk_job_access PRIMARY KEY (job, user),
    CONSTRAINT fk_job_access_job FOREIGN KEY(job) REFERENCES jobs (id) ON DELETE CASCADE,
    CONSTRAINT fk_job_access_user FOREIGN KEY(user) REFERENCES users (id) ON DELETE CASCADE
);

CREATE INDEX ix_job_access_user ON job_access (user);

CREATE TABLE identities (
    issuer TEXT NOT NULL,
    subject TEXT NOT NULL,
    user VARCHAR(32) NOT NULL,
    connected DATETIME NOT NULL,
    CONSTRAINT pk_identities PRIMARY KEY (issuer, subject),
    CONSTRAINT fk_identities_user FOREIGN KEY(user) REFERENCES users (id) ON DELETE CASCADE
);

CREATE TABLE pending_sign_ins (
    state VARCHAR(64) NOT NULL,
    browser VARCHAR(64) NOT NULL,
    issuer TEXT NOT NULL,
    nonce VARCHAR(64) NOT NULL,
    verifier VARCHAR(128) NOT NULL,
    user VARCHAR(32),
    target TEXT NOT NULL,
    expires DATETIME NOT NULL,
    CONSTRAINT pk_pending_sign_ins PRIMARY KEY (state),
    CONSTRAINT fk_pending_sign_ins_user FOREIGN KEY(user) REFERENCES users (id) ON DELETE CASCADE
);

CREATE INDEX ix_identities_user ON identities (user);

CREATE INDEX ix_pending_sign_ins_user ON pending_sign_ins (user);

CREATE TABLE notes (
    id VARCHAR(32) NOT NULL,
    application VARCHAR(32) NOT NULL,
    actor TEXT NOT NULL,
    text TEXT NOT NULL,
    time DATETIME NOT NULL,
    CONSTRAINT pk_notes PRIMARY KEY (id),
    CONSTRAINT fk_notes_application FOREIGN KEY(application) REFERENCES applications (id) ON DELETE CASCADE
);

CREATE INDEX ix_notes_application ON notes (application);

CREATE TABLE tags (
    application VARCHAR(32) NOT NULL,
    tag TEXT NOT NULL,
    actor TEXT NOT NULL,
    time DATETIME NOT NULL,
    CONSTRAINT pk_tags PRIMARY KEY (application, tag),
    CONSTRAINT fk_tags_application FOREIGN KEY(application) REFERENCES applications (id) ON DELETE CASCADE
);

CREATE TABLE flag_overrides (
    application VARCHAR(32) NOT NULL,
    flag VARCHAR(64) NOT NULL,
    code VARCHAR(32) NOT NULL,
    actor TEXT NOT NULL,
    reason TEXT NOT NULL,
    time DATETIME NOT NULL,
    CONSTRAINT pk_flag_overrides PRIMARY KEY (application, flag),
    CONSTRAINT fk_flag_overrides_application FOREIGN KEY(application) REFERENCES applications (id) ON DELETE CASCADE
);

CREATE TABLE saved_searches (
    id VARCHAR(32) NOT NULL,
    job VARCHAR(32) NOT NULL,
    actor TEXT NOT NULL,
    name TEXT NOT NULL,
    "query" TEXT NOT NULL,
    created DATETIME NOT NULL,
    CONSTRAINT pk_saved_searches PRIMARY KEY (id),
    CONSTRAINT fk_saved_searches_job FOREIGN KEY(job) REFERENCES jobs (id),
    CONSTRAINT uq_saved_searches_job_actor_name UNIQUE (job, actor, name)
);

CREATE TABLE job_settings (
    job VARCHAR(32) NOT NULL,
    blind BOOLEAN DEFAULT 0 NOT NULL,
    hide_schools BOOLEAN DEFAULT 0 NOT NULL,
    CONSTRAINT pk_job_settings PRIMARY KEY (job),
    CONSTRAINT fk_job_settings_job FOREIGN KEY(job) REFERENCES jobs (id)
);

CREATE TABLE imports (
    id VARCHAR(32) NOT NULL,
    job VARCHAR(32) NOT NULL,
    actor TEXT NOT NULL,
    source TEXT,
    created DATETIME NOT NULL,
    sealed DATETIME,
    finished DATETIME,
    CONSTRAINT pk_imports PRIMARY KEY (id),
    CONSTRAINT fk_imports_job FOREIGN KEY(job) REFERENCES jobs (id)
);

CREATE INDEX ix_imports_job ON imports (job);

CREATE TABLE import_files (
    import VARCHAR(32) NOT NULL,
    number INTEGER NOT NULL,
    file TEXT NOT NULL,
    sha256 VARCHAR(64),
    size_bytes INTEGER NOT NULL,
    state VARCHAR(16) NOT NULL,
    code VARCHAR(32),
    message TEXT,
    CONSTRAINT pk_import_files PRIMARY KEY (import, number),
    CONSTRAINT fk_import_files_import FOREIGN KEY(import) REFERENCES imports (id) ON DELETE CASCADE
);

CREATE INDEX ix_import_files_state ON import_files (state);

CREATE INDEX ix_applications_job_status ON applications (job, status);

CREATE TABLE corrections (
    id VARCHAR(32) NOT NULL,
    document VARCHAR(64) NOT NULL,
    application VARCHAR(32),
    field VARCHAR(32) NOT NULL,
    change TEXT NOT NULL,
    old TEXT,
    new TEXT,
    actor TEXT NOT NULL,
    reason TEXT NOT NULL,
    time DATETIME NOT NULL,
    undone DATETIME,
    undone_by TEXT,
    ranks TEXT,
    CONSTRAINT pk_corrections PRIMARY KEY (id),
    CONSTRAINT fk_corrections_document FOREIGN KEY(document) REFERENCES documents (sha256) ON DELETE CASCADE,
    CONSTRAINT fk_corrections_application FOREIGN KEY(application) REFERENCES applications (id) ON DELETE SET NULL
);

CREATE INDEX ix_corrections_document ON corrections (document);

CREATE INDEX ix_corrections_application ON corrections (application);

CREATE TABLE readings (
    document VARCHAR(64) NOT NULL,
    miner TEXT NOT NULL,
    profile BLOB NOT NULL,
    CONSTRAINT pk_readings PRIMARY KEY (document),
    CONSTRAINT fk_readings_document FOREIGN KEY(document) REFERENCES documents (sha256) ON DELETE CASCADE
);

CREATE TABLE erasures (
    id VARCHAR(32) NOT NULL,
    begun DATETIME NOT NULL,
    finished DATETIME,
    actor TEXT NOT NULL,
    applications TEXT NOT NULL,
    certificate TEXT NOT NULL,
    CONSTRAINT pk_erasures PRIMARY KEY (id)
);

CREATE TABLE backups (
    id VARCHAR(32) NOT NULL,
    place TEXT NOT NULL,
    made DATETIME NOT NULL,
    expires DATETIME,
    gone DATETIME,
    actor TEXT NOT NULL,
    CONSTRAINT pk_backups PRIMARY KEY (id)
);

CREATE TABLE retention_rules (
    job VARCHAR(32) NOT NULL,
    status VARCHAR(16) NOT NULL,
    days INTEGER NOT NULL,
    actor TEXT NOT NULL,
    time DATETIME NOT NULL,
    CONSTRAINT pk_retention_rules PRIMARY KEY (job, status)
);

CREATE TABLE holds (
    application VARCHAR(32) NOT NULL,
    actor TEXT NOT NULL,
    reason TEXT NOT NULL,
    time DATETIME NOT NULL,
    CONSTRAINT pk_holds PRIMARY KEY (application),
    CONSTRAINT fk_holds_application FOREIGN KEY(application) REFERENCES applications (id) ON DELETE CASCADE
);

CREATE TABLE self_identifications (
    application VARCHAR(32) NOT NULL,
    variable VARCHAR(64) NOT NULL,
    value TEXT,
    time DATETIME NOT NULL,
    CONSTRAINT pk_self_identifications PRIMARY KEY (application, variable),
    CONSTRAINT fk_self_identifications_application FOREIGN KEY(application) REFERENCES applications (id) ON DELETE CASCADE
);

CREATE TABLE audit_schedules (
    id VARCHAR(32) NOT NULL,
    job VARCHAR(32),
    every VARCHAR(16) NOT NULL,
    request TEXT NOT NULL,
    due DATETIME NOT NULL,
    actor TEXT NOT NULL,
    made DATETIME NOT NULL,
    CONSTRAINT pk_audit_schedules PRIMARY KEY (id),
    CONSTRAINT fk_audit_schedules_job FOREIGN KEY(job) REFERENCES jobs (id),
    CONSTRAINT uq_audit_schedules_job UNIQUE (job)
);

CREATE TABLE audits (
    id VARCHAR(32) NOT NULL,
    kind VARCHAR(64) NOT NULL,
    job VARCHAR(32),
    request TEXT NOT NULL,
    state VARCHAR(16) NOT NULL,
    actor TEXT NOT NULL,
    asked DATETIME NOT NULL,
    schedule VARCHAR(32),
    due DATETIME,
    alive DATETIME,
    attempts INTEGER NOT NULL,
    done INTEGER NOT NULL,
    total INTEGER NOT NULL,
    doing TEXT,
    message TEXT,
    made DATETIME,
    worst VARCHAR(16),
    findings TEXT,
    report BLOB,
    hash VARCHAR(64),
    scrubbed DATETIME,
    previous VARCHAR(32),
    CONSTRAINT pk_audits PRIMARY KEY (id),
    CONSTRAINT fk_audits_job FOREIGN KEY(job) REFERENCES jobs (id),
    CONSTRAINT uq_audits_schedule_due_job UNIQUE (schedule, due, job)
);

CREATE INDEX ix_audits_job ON audits (job);

CREATE INDEX ix_audits_state ON audits (state);

INSERT INTO evenhand_version (version_num) VALUES ('0008');
