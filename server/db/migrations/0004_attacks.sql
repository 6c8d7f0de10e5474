CREATE TABLE `attack_calls` (
	`id` integer PRIMARY KEY AUTOINCREMENT NOT NULL,
	`judge` integer NOT NULL,
	`dataset` integer NOT NULL,
	`key` text NOT NULL,
	`sample` text NOT NULL,
	`criteria` text NOT NULL,
	`pair_order` text,
	`repeat` integer NOT NULL,
	`at` text NOT NULL,
	`hold_usd` real,
	FOREIGN KEY (`judge`) REFERENCES `judges`(`id`) ON UPDATE no action ON DELETE no action,
	FOREIGN KEY (`dataset`) REFERENCES `datasets`(`id`) ON UPDATE no action ON DELETE no action
) STRICT;
--> statement-breakpoint
CREATE INDEX `attack_calls_key` ON `attack_calls` (`key`);--> statement-breakpoint
CREATE TABLE `attack_replies` (
	`call` integer PRIMARY KEY NOT NULL,
	`final` integer NOT NULL,
	`outcomes` text NOT NULL,
	`usage` text,
	`cost_usd` real,
	`served_model` text,
	`fingerprint` text,
	`request_id` text,
	`ms` real NOT NULL,
	`raw` text,
	`hash` text NOT NULL,
	`lost` integer NOT NULL,
	FOREIGN KEY (`call`) REFERENCES `attack_calls`(`id`) ON UPDATE no action ON DELETE no action
) STRICT;
--> statement-breakpoint
CREATE TABLE `attack_reports` (
	`seq` integer PRIMARY KEY AUTOINCREMENT NOT NULL,
	`judge_hash` text NOT NULL,
	`at` text NOT NULL,
	`report` text NOT NULL,
	`hash` text NOT NULL
) STRICT;
--> statement-breakpoint
CREATE INDEX `attack_reports_judge` ON `attack_reports` (`judge_hash`);--> statement-breakpoint
CREATE TRIGGER `attack_calls_no_update` BEFORE UPDATE ON `attack_calls` BEGIN SELECT RAISE(ABORT, 'attack_calls is append-only'); END;
--> statement-breakpoint
CREATE TRIGGER `attack_calls_no_delete` BEFORE DELETE ON `attack_calls` BEGIN SELECT RAISE(ABORT, 'attack_calls is append-only'); END;
--> statement-breakpoint
CREATE TRIGGER `attack_replies_no_update` BEFORE UPDATE ON `attack_replies` BEGIN SELECT RAISE(ABORT, 'attack_replies is append-only'); END;
--> statement-breakpoint
CREATE TRIGGER `attack_replies_no_delete` BEFORE DELETE ON `attack_replies` BEGIN SELECT RAISE(ABORT, 'attack_replies is append-only'); END;
--> statement-breakpoint
CREATE TRIGGER `attack_reports_no_update` BEFORE UPDATE ON `attack_reports` BEGIN SELECT RAISE(ABORT, 'attack_reports is append-only'); END;
--> statement-breakpoint
CREATE TRIGGER `attack_reports_no_delete` BEFORE DELETE ON `attack_reports` BEGIN SELECT RAISE(ABORT, 'attack_reports is append-only'); END;
