CREATE TABLE `batches` (
	`id` integer PRIMARY KEY AUTOINCREMENT NOT NULL,
	`run` text NOT NULL,
	`marker` text NOT NULL,
	`remote` text,
	`state` text NOT NULL,
	`why` text NOT NULL,
	`at` text NOT NULL,
	`ended_at` text,
	FOREIGN KEY (`run`) REFERENCES `runs`(`id`) ON UPDATE no action ON DELETE no action
) STRICT;
--> statement-breakpoint
CREATE UNIQUE INDEX `batches_marker` ON `batches` (`marker`);--> statement-breakpoint
CREATE INDEX `batches_run` ON `batches` (`run`);--> statement-breakpoint
CREATE TABLE `strays` (
	`id` integer PRIMARY KEY AUTOINCREMENT NOT NULL,
	`batch` integer NOT NULL,
	`text` text NOT NULL,
	FOREIGN KEY (`batch`) REFERENCES `batches`(`id`) ON UPDATE no action ON DELETE no action
) STRICT;
--> statement-breakpoint
ALTER TABLE `calls` ADD `batch` integer REFERENCES batches(id);--> statement-breakpoint
CREATE INDEX `calls_batch` ON `calls` (`batch`);