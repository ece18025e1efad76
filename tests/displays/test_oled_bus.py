"""The simulated bus and controller do what the data sheets say, and refuse what they do not."""

from __future__ import annotations

import errno
import random

import pytest
from PIL import Image

from jackspot.displays.oled.driver import driver_set_up
from jackspot.displays.oled.wire import HEIGHT, WIDTH, OledChip, pack
from jackspot_sim.devices.bus import I2C_ADDRESS, FakeI2C, FakeSpi, Traffic
from jackspot_sim.devices.oled_controller import Controller

CHIPS = pytest.mark.parametrize("chip", OledChip)


def corner() -> Image.Image:
    """Draw something that is different in each corner."""
    image = Image.new("1", (WIDTH, HEIGHT))
    for x, y in ((0, 0), (1, 0), (2, 0), (127, 0), (127, 1), (0, 63), (126, 63), (127, 62)):
        image.putpixel((x, y), 255)
    return image


def controller(chip: OledChip, image: Image.Image | None = None) -> Controller:
    """Make a controller set up by luma, with a picture (or none) and its panel on."""
    made = Controller(chip, random.Random(1))
    for command in driver_set_up(chip):
        made.commands(command)
    frame = pack(image or Image.new("1", (WIDTH, HEIGHT)))
    for page in range(8):
        row = frame[page * WIDTH : (page + 1) * WIDTH]
        if chip.has_windows:
            made.commands((0x21, 0, 127, 0x22, page, page))
        else:
            made.commands((0xB0 + page, 0x02, 0x10))
        made.data(row)
    made.commands((0xAF,))
    return made


@CHIPS
def test_with_lumas_set_up_the_picture_stands_upright(chip: OledChip) -> None:
    assert controller(chip, corner()).picture().tobytes() == corner().tobytes()


@CHIPS
def test_power_on_shows_nothing_although_the_memory_is_garbage(chip: OledChip) -> None:
    fresh = Controller(chip, random.Random(1))
    assert fresh.picture().getbbox() is None
    for command in driver_set_up(chip):
        fresh.commands(command)
    fresh.commands((0xAF,))
    assert fresh.picture().getbbox() is not None


@CHIPS
@pytest.mark.parametrize(
    ("command", "expected"),
    [
        (0xA7, "inverted"),
        (0xA0, "mirrored"),
        (0xC0, "upside down"),
        (0xA5, "all lit"),
        (0xAE, "dark"),
        (0x41, "one up"),
        (0xE3, "as it was"),
    ],
)
def test_each_switch_does_what_the_data_sheet_says(
    chip: OledChip, command: int, expected: str
) -> None:
    from PIL import ImageChops

    image = corner()
    shown = controller(chip, image)
    shown.commands((command,))
    pictures = {
        "inverted": ImageChops.invert(image),
        "mirrored": image.transpose(Image.Transpose.FLIP_LEFT_RIGHT),
        "upside down": image.transpose(Image.Transpose.FLIP_TOP_BOTTOM),
        "all lit": Image.new("1", image.size, 255),
        "dark": Image.new("1", image.size),
        "one up": ImageChops.offset(image, 0, -1),
        "as it was": image,
    }
    assert shown.picture().tobytes() == pictures[expected].tobytes()


def test_the_ssd1306_stays_dark_without_its_charge_pump() -> None:
    shown = controller(OledChip.SSD1306, corner())
    shown.commands((0x8D, 0x10))
    assert shown.picture().getbbox() is None


def test_fewer_rows_are_scanned_when_the_multiplex_says_so() -> None:
    shown = controller(OledChip.SSD1306, Image.new("1", (WIDTH, HEIGHT), 255))
    shown.commands((0xA8, 31))
    assert shown.picture().getbbox() == (0, 0, WIDTH, 32)


def test_a_vertical_offset_moves_the_picture() -> None:
    shown = controller(OledChip.SSD1306, corner())
    shown.commands((0xD3, 8))
    assert shown.picture().getpixel((1, 56)) == 255


def test_a_window_wraps_from_its_end_to_its_beginning() -> None:
    shown = controller(OledChip.SSD1306)
    shown.commands((0x21, 10, 11, 0x22, 2, 3))
    shown.data([1, 1, 1, 1, 0x80])
    picture = shown.picture()
    assert [picture.getpixel((10, y)) for y in (16, 23, 24)] == [0, 255, 255]


def test_vertical_addressing_goes_down_first() -> None:
    shown = controller(OledChip.SSD1306)
    shown.commands((0x20, 1, 0x21, 10, 11, 0x22, 2, 3))
    shown.data([1, 1])
    assert shown.picture().getbbox() == (10, 16, 11, 25)


def test_page_addressing_stays_in_its_page() -> None:
    shown = controller(OledChip.SSD1306)
    shown.commands((0x20, 2, 0xB3, 0x0F, 0x17))
    shown.data([1, 1])
    picture = shown.picture()
    assert picture.getpixel((127, 24)) == picture.getpixel((0, 24)) == 255


def test_the_sh1106_hides_two_columns_at_either_side() -> None:
    shown = controller(OledChip.SH1106)
    shown.commands((0xB0, 0x00, 0x10))
    shown.data([255] * 132)
    assert shown.picture().getbbox() == (0, 0, 128, 8)
    hidden = controller(OledChip.SH1106)
    for high, low in ((0x10, 0x00), (0x18, 0x02)):
        hidden.commands((0xB0, low, high))
        hidden.data([255, 255])
    assert hidden.picture().getbbox() is None


def test_the_sh1106_does_not_go_on_after_its_last_column() -> None:
    shown = controller(OledChip.SH1106)
    shown.commands((0xB0, 0x00, 0x18))
    shown.data([255] * 20)
    assert shown.picture().getbbox() == (126, 0, 128, 8)


@CHIPS
@pytest.mark.parametrize("command", [0xFF, 0x9A, 0x30])
def test_a_command_that_no_data_sheet_has_is_refused(chip: OledChip, command: int) -> None:
    with pytest.raises(ValueError, match="no command of the data sheet"):
        controller(chip).commands((command,))


def test_the_windows_of_the_ssd1306_are_no_commands_of_the_sh1106() -> None:
    with pytest.raises(ValueError, match="0x21 is no command"):
        controller(OledChip.SH1106).commands((0x21,))


@pytest.mark.parametrize("window", [(0x21, 0, 128), (0x21, 5, 4), (0x22, 0, 8)])
def test_a_window_beyond_the_memory_is_refused(window: tuple[int, ...]) -> None:
    with pytest.raises(ValueError, match="does not fit"):
        controller(OledChip.SSD1306).commands(window)


def test_data_in_the_middle_of_a_command_is_refused() -> None:
    shown = controller(OledChip.SSD1306)
    shown.commands((0x21, 0))
    with pytest.raises(ValueError, match="in the middle of command 0x21"):
        shown.data([1])


# --- the buses -------------------------------------------------------------------------


def test_i2c_counts_nine_clocks_a_byte_with_the_address_and_start_and_stop() -> None:
    bus = FakeI2C()
    bus.write_i2c_block_data(I2C_ADDRESS, 0x00, [0xAE])
    assert bus.traffic == Traffic(transactions=1, transferred=2, bits=2 + 9 * 3)
    bus.i2c_rdwr((I2C_ADDRESS, bytes([0x40, *[0] * 64])))
    assert bus.traffic == Traffic(2, 67, 29 + 2 + 9 * 66)


def test_a_frame_of_luma_takes_23_milliseconds_at_400_khz() -> None:
    bus = FakeI2C()
    bus.write_i2c_block_data(I2C_ADDRESS, 0x00, [0x21, 0, 127, 0x22, 0, 7])
    bus.i2c_rdwr((I2C_ADDRESS, bytes([0x40, *[0] * 1024])))
    assert bus.traffic.wire_time_ns(400_000) == pytest.approx(23_300_000, rel=0.01)
    assert bus.traffic.wire_time_ns(100_000) == pytest.approx(93_100_000, rel=0.01)


def test_spi_counts_eight_clocks_a_byte() -> None:
    bus = FakeSpi()
    bus.write([0xAE, 0xA6])
    assert bus.traffic == Traffic(1, 2, 16)


@pytest.mark.parametrize("address", [0x3D, I2C_ADDRESS])
def test_an_address_that_nobody_answers_is_a_remote_io_error(address: int) -> None:
    bus = FakeI2C()
    if address == I2C_ADDRESS:
        bus.unplug()
    with pytest.raises(OSError, match=r"\[Errno 121\]") as caught:
        bus.write_i2c_block_data(address, 0x00, [0xAE])
    assert caught.value.errno == errno.EREMOTEIO
    assert bus.traffic.transferred == 0


def test_a_block_longer_than_the_kernel_takes_is_refused() -> None:
    with pytest.raises(ValueError, match="32 bytes, not 33"):
        FakeI2C().write_i2c_block_data(I2C_ADDRESS, 0x40, [0] * 33)


def test_an_unknown_control_byte_is_refused() -> None:
    with pytest.raises(ValueError, match="control byte 0x80"):
        FakeI2C().write_i2c_block_data(I2C_ADDRESS, 0x80, [0])


def test_luma_reaches_it_by_its_public_bus_argument_too() -> None:
    from luma.core.interface.serial import i2c

    bus = FakeI2C()
    serial = i2c(bus=bus)
    serial.command(0xAE)
    serial.data([0] * 64)
    assert bus.traffic.transactions == 3, "a bus of one's own gets blocks of 32 bytes"


def test_an_unplugged_spi_display_swallows_everything_in_silence() -> None:
    bus = FakeSpi()
    serial = bus.serial()
    bus.unplug()
    serial.command(0xAE)
    assert bus.traffic.transferred == 1
    assert bus.picture().getbbox() is None


def test_opening_spi_resets_the_controller() -> None:
    bus = FakeSpi()
    first = bus.serial()
    for command in driver_set_up(OledChip.SSD1306):
        first.command(*command)
    first.command(0xAF)
    assert bus.controller is not None
    assert bus.controller.is_on
    bus.serial()
    assert not bus.controller.is_on


def test_plugging_in_again_brings_other_garbage() -> None:
    bus = FakeI2C()

    def shown() -> bytes:
        serial = bus.serial()
        for command in driver_set_up(OledChip.SSD1306):
            serial.command(*command)
        serial.command(0xAF)
        return bus.picture().tobytes()

    before = shown()
    bus.unplug()
    bus.plug()
    assert shown() != before


def test_watchers_hear_of_each_transaction_and_of_the_plug() -> None:
    bus = FakeI2C()
    heard: list[int] = []
    bus.watch(lambda: heard.append(bus.traffic.transactions))
    bus.write_i2c_block_data(I2C_ADDRESS, 0x00, [0xAE])
    bus.unplug()
    bus.plug()
    assert heard == [1, 1, 1]
