CREATE TABLE `calls` (
	`id` integer PRIMARY KEY AUTOINCREMENT NOT NULL,
	`run` text NOT NULL,
	`key` text NOT NULL,
	`sample` integer NOT NULL,
	`criteria` text NOT NULL,
	`pair_order` text,
	`repeat` integer NOT NULL,
	`at` text NOT NULL,
	FOREIGN KEY (`run`) REFERENCES `runs`(`id`) ON UPDATE no action ON DELETE no action,
	FOREIGN KEY (`sample`) REFERENCES `samples`(`seq`) ON UPDATE no action ON DELETE no action
) STRICT;
--> statement-breakpoint
CREATE INDEX `calls_key` ON `calls` (`key`);--> statement-breakpoint
CREATE INDEX `calls_run` ON `calls` (`run`);--> statement-breakpoint
CREATE TABLE `datasets` (
	`id` integer PRIMARY KEY AUTOINCREMENT NOT NULL,
	`name` text NOT NULL,
	`rubric` text,
	`created_at` text NOT NULL
) STRICT;
--> statement-breakpoint
CREATE UNIQUE INDEX `datasets_name_unique` ON `datasets` (`name`);--> statement-breakpoint
CREATE TABLE `judges` (
	`id` integer PRIMARY KEY AUTOINCREMENT NOT NULL,
	`name` text NOT NULL,
	`hash` text NOT NULL,
	`simulated` integer NOT NULL
) STRICT;
--> statement-breakpoint
CREATE UNIQUE INDEX `judges_name_hash` ON `judges` (`name`,`hash`);--> statement-breakpoint
CREATE TABLE `labels` (
	`seq` integer PRIMARY KEY AUTOINCREMENT NOT NULL,
	`id` text NOT NULL,
	`sample` integer NOT NULL,
	`criterion` text NOT NULL,
	`rubric` text NOT NULL,
	`rubric_hash` text NOT NULL,
	`annotator` text NOT NULL,
	`act` text NOT NULL,
	`value` text,
	`unsure` integer NOT NULL,
	`evidence` text NOT NULL,
	`note` text NOT NULL,
	`ms` integer NOT NULL,
	`saw` text NOT NULL,
	`shown` text,
	`at` text NOT NULL,
	`revision` integer NOT NULL,
	`hash` text NOT NULL,
	FOREIGN KEY (`sample`) REFERENCES `samples`(`seq`) ON UPDATE no action ON DELETE no action
) STRICT;
--> statement-breakpoint
CREATE UNIQUE INDEX `labels_id_unique` ON `labels` (`id`);--> statement-breakpoint
CREATE UNIQUE INDEX `labels_revision` ON `labels` (`sample`,`criterion`,`rubric`,`annotator`,`revision`);--> statement-breakpoint
CREATE INDEX `labels_rubric` ON `labels` (`rubric`,`criterion`);--> statement-breakpoint
CREATE TABLE `looks` (
	`seq` integer PRIMARY KEY AUTOINCREMENT NOT NULL,
	`label_set` text NOT NULL,
	`label_set_hash` text NOT NULL,
	`judge` text NOT NULL,
	`judge_hash` text NOT NULL,
	`reason` text NOT NULL,
	`by_whom` text NOT NULL,
	`at` text NOT NULL
) STRICT;
--> statement-breakpoint
CREATE TABLE `replies` (
	`call` integer PRIMARY KEY NOT NULL,
	`final` integer NOT NULL,
	`usage` text,
	`cost_usd` real,
	`served_model` text,
	`fingerprint` text,
	`request_id` text,
	`ms` real NOT NULL,
	`raw` text,
	`hash` text NOT NULL,
	FOREIGN KEY (`call`) REFERENCES `calls`(`id`) ON UPDATE no action ON DELETE no action
) STRICT;
--> statement-breakpoint
CREATE TABLE `reveals` (
	`sample` integer NOT NULL,
	`annotator` text NOT NULL,
	`at` text NOT NULL,
	PRIMARY KEY(`sample`, `annotator`),
	FOREIGN KEY (`sample`) REFERENCES `samples`(`seq`) ON UPDATE no action ON DELETE no action
) STRICT;
--> statement-breakpoint
CREATE TABLE `runs` (
	`id` text PRIMARY KEY NOT NULL,
	`judge` integer NOT NULL,
	`dataset` integer NOT NULL,
	`planned` integer NOT NULL,
	`concurrency` integer NOT NULL,
	`started_at` text NOT NULL,
	`state` text NOT NULL,
	`why` text NOT NULL,
	`ended_at` text,
	FOREIGN KEY (`judge`) REFERENCES `judges`(`id`) ON UPDATE no action ON DELETE no action,
	FOREIGN KEY (`dataset`) REFERENCES `datasets`(`id`) ON UPDATE no action ON DELETE no action
) STRICT;
--> statement-breakpoint
CREATE TABLE `samples` (
	`seq` integer PRIMARY KEY NOT NULL,
	`dataset` integer NOT NULL,
	`id` text NOT NULL,
	`kind` text NOT NULL,
	`input` text NOT NULL,
	`output` text,
	`output_b` text,
	`trace` text,
	`context` text,
	`reference` text,
	`external` text,
	`metadata` text NOT NULL,
	`group_name` text,
	`content_hash` text NOT NULL,
	`hash` text NOT NULL,
	FOREIGN KEY (`dataset`) REFERENCES `datasets`(`id`) ON UPDATE no action ON DELETE no action
) STRICT;
--> statement-breakpoint
CREATE UNIQUE INDEX `samples_dataset_id` ON `samples` (`dataset`,`id`);--> statement-breakpoint
CREATE UNIQUE INDEX `samples_dataset_external` ON `samples` (`dataset`,`external`);--> statement-breakpoint
CREATE TABLE `sessions` (
	`token_hash` text PRIMARY KEY NOT NULL,
	`annotator` text,
	`created_at` text NOT NULL,
	`expires_at` text NOT NULL
) STRICT;
--> statement-breakpoint
CREATE TABLE `verdicts` (
	`seq` integer PRIMARY KEY AUTOINCREMENT NOT NULL,
	`call` integer,
	`judge` integer NOT NULL,
	`sample` integer NOT NULL,
	`criterion` text NOT NULL,
	`rubric_hash` text NOT NULL,
	`pair_order` text,
	`repeat` integer NOT NULL,
	`outcome` text NOT NULL,
	`value` text,
	`reason` text NOT NULL,
	`quotes` text NOT NULL,
	`served_model` text,
	`fingerprint` text,
	`at` text NOT NULL,
	`hash` text NOT NULL,
	FOREIGN KEY (`call`) REFERENCES `calls`(`id`) ON UPDATE no action ON DELETE no action,
	FOREIGN KEY (`judge`) REFERENCES `judges`(`id`) ON UPDATE no action ON DELETE no action,
	FOREIGN KEY (`sample`) REFERENCES `samples`(`seq`) ON UPDATE no action ON DELETE no action
) STRICT;
--> statement-breakpoint
CREATE INDEX `verdicts_judge` ON `verdicts` (`judge`,`criterion`,`sample`);--> statement-breakpoint
CREATE INDEX `verdicts_sample` ON `verdicts` (`sample`);