// SPDX-License-Identifier: GPL-2.0-only
/*
 * An I2C bus of its own with an SSD1306 display on it, to test drivers of such displays.
 *
 * The bus is i2c-1 where that number is free, the display answers at 0x3c. It keeps what it
 * is sent as the data sheet says (rev. 1.1, chapters 8.1.5, 9 and 10): the three addressing
 * modes with their windows, contrast, on and off, and all other commands with their lengths.
 * In /sys/kernel/debug/oled: `memory` (8 pages of 128 columns), `lit`, `contrast`, `inverse`,
 * `bytes` (that ever crossed the bus), `unknown` (commands that no data sheet has),
 * `transfers` (the last 4096: end in monotonic ns, bytes), `hz` (the bus's speed; a transfer
 * takes as long as nine clocks a byte take; 0: no time), and `present`: written 0 the display
 * is unplugged, nothing answers; written 1 it is back, and as after power-on knows nothing.
 */
#include <linux/debugfs.h>
#include <linux/delay.h>
#include <linux/i2c.h>
#include <linux/ktime.h>
#include <linux/math64.h>
#include <linux/module.h>

#define ADDRESS 0x3c
#define COLUMNS 128
#define PAGES 8
#define KEPT 4096

enum mode { HORIZONTAL, VERTICAL, PAGE };

struct transfer {
	u64 ended_ns;
	u64 bytes;
};

static u8 memory[PAGES * COLUMNS];
static u8 column, page, first_column, last_column, first_page, last_page;
static u8 mode, contrast, command[8], have;
static bool lit, inverse, present = true;
static u64 bytes, unknown;
static u32 hz = 400000;
static struct transfer transfers[KEPT];
static u64 transferred;
static struct dentry *folder;
static struct debugfs_blob_wrapper memory_blob = { memory, sizeof(memory) };
static struct debugfs_blob_wrapper transfers_blob = { transfers, sizeof(transfers) };

static void power_on(void)
{
	int i;

	for (i = 0; i < sizeof(memory); i++)
		memory[i] = (i * 37) ^ (i >> 3);	/* whatever was in the cells */
	mode = PAGE;
	column = page = first_column = first_page = have = 0;
	last_column = COLUMNS - 1;
	last_page = PAGES - 1;
	contrast = 0x7f;
	lit = inverse = false;
}

static int length(u8 first)
{
	switch (first) {
	case 0x26: case 0x27:
		return 7;
	case 0x29: case 0x2a:
		return 6;
	case 0x21: case 0x22: case 0xa3:
		return 3;
	case 0x20: case 0x81: case 0x8d: case 0xa8: case 0xd3: case 0xd5:
	case 0xd9: case 0xda: case 0xdb:
		return 2;
	case 0x00 ... 0x1f: case 0x2e: case 0x2f: case 0x40 ... 0x7f:
	case 0xa0: case 0xa1: case 0xa4 ... 0xa7: case 0xae: case 0xaf:
	case 0xb0 ... 0xb7: case 0xc0: case 0xc8: case 0xe3:
		return 1;
	}
	unknown++;
	return 1;
}

static void obey(const u8 *c)
{
	switch (c[0]) {
	case 0x00 ... 0x0f:
		column = (column & 0x70) | (c[0] & 0x0f);
		break;
	case 0x10 ... 0x1f:
		column = ((c[0] << 4) & 0x70) | (column & 0x0f);
		break;
	case 0x20:
		mode = c[1] & 3;
		break;
	case 0x21:
		column = first_column = c[1] & 0x7f;
		last_column = c[2] & 0x7f;
		break;
	case 0x22:
		page = first_page = c[1] & 7;
		last_page = c[2] & 7;
		break;
	case 0x81:
		contrast = c[1];
		break;
	case 0xa6: case 0xa7:
		inverse = c[0] & 1;
		break;
	case 0xae: case 0xaf:
		lit = c[0] & 1;
		break;
	case 0xb0 ... 0xb7:
		page = c[0] & 7;
		break;
	}
}

static void take_command(u8 byte)
{
	command[have++] = byte;
	if (have == length(command[0])) {
		obey(command);
		have = 0;
	}
}

static void take_data(u8 byte)
{
	memory[page * COLUMNS + column] = byte;
	if (mode == PAGE) {
		column = (column + 1) % COLUMNS;
	} else if (mode == VERTICAL) {
		if (page != last_page) {
			page = (page + 1) % PAGES;
			return;
		}
		page = first_page;
		column = column == last_column ? first_column : (column + 1) % COLUMNS;
	} else if (column != last_column) {
		column = (column + 1) % COLUMNS;
	} else {
		column = first_column;
		page = page == last_page ? first_page : (page + 1) % PAGES;
	}
}

/* Each control byte says what follows: command or data, and one byte or all the rest. */
static void take(const struct i2c_msg *message)
{
	u16 at = 0;

	while (at < message->len) {
		u8 control = message->buf[at++];
		u16 end = control & 0x80 ? min_t(u16, at + 1, message->len) : message->len;

		for (; at < end; at++)
			control & 0x40 ? take_data(message->buf[at]) : take_command(message->buf[at]);
	}
}

static int transfer(struct i2c_adapter *adapter, struct i2c_msg *messages, int count)
{
	u64 sent = 0;
	int i;

	for (i = 0; i < count; i++) {
		struct i2c_msg *message = &messages[i];

		if (message->addr != ADDRESS || !present)
			return -EREMOTEIO;	/* as i2c-bcm2835 says it */
		if (message->flags & I2C_M_RD)
			memset(message->buf, lit ? 0x03 : 0x43, message->len);
		else
			take(message);
		sent += 1 + message->len;
	}
	if (hz)
		fsleep(div_u64(sent * 9 * 1000000, hz));
	bytes += sent;
	transfers[transferred % KEPT] = (struct transfer){ ktime_get_ns(), sent };
	transferred++;
	return count;
}

static u32 functions(struct i2c_adapter *adapter)
{
	return I2C_FUNC_I2C | I2C_FUNC_SMBUS_EMUL;
}

static const struct i2c_algorithm algorithm = {
	.master_xfer = transfer,
	.functionality = functions,
};

static struct i2c_adapter bus = {
	.owner = THIS_MODULE,
	.name = "bcm2835 (simulated) with an SSD1306",
	.algo = &algorithm,
	.nr = 1,
};

static int get_present(void *data, u64 *value)
{
	*value = present;
	return 0;
}

static int set_present(void *data, u64 value)
{
	i2c_lock_bus(&bus, I2C_LOCK_ROOT_ADAPTER);
	if (value && !present)
		power_on();
	present = value;
	i2c_unlock_bus(&bus, I2C_LOCK_ROOT_ADAPTER);
	return 0;
}
DEFINE_DEBUGFS_ATTRIBUTE(present_file, get_present, set_present, "%llu\n");

static int __init oled_init(void)
{
	int error;

	power_on();
	error = i2c_add_numbered_adapter(&bus);
	if (error)
		return error;
	folder = debugfs_create_dir("oled", NULL);
	debugfs_create_blob("memory", 0400, folder, &memory_blob);
	debugfs_create_blob("transfers", 0400, folder, &transfers_blob);
	debugfs_create_u64("transferred", 0400, folder, &transferred);
	debugfs_create_u64("bytes", 0400, folder, &bytes);
	debugfs_create_u64("unknown", 0400, folder, &unknown);
	debugfs_create_bool("lit", 0400, folder, &lit);
	debugfs_create_bool("inverse", 0400, folder, &inverse);
	debugfs_create_u8("contrast", 0400, folder, &contrast);
	debugfs_create_u32("hz", 0600, folder, &hz);
	debugfs_create_file_unsafe("present", 0600, folder, NULL, &present_file);
	return 0;
}

static void __exit oled_exit(void)
{
	debugfs_remove_recursive(folder);
	i2c_del_adapter(&bus);
}

module_init(oled_init);
module_exit(oled_exit);
MODULE_LICENSE("GPL");
MODULE_DESCRIPTION("An I2C bus with an SSD1306 on it whose memory can be read back");
