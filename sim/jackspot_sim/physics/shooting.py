"""One whole shot, computed ahead: from the flick until nothing moves any more.

Theory of operation. Pieces slide in a plane (:mod:`jackspot_sim.physics.space`) that is advanced
in sixtieths of a second, each cut into so many equal steps that nothing moves further than
``STEP_MM`` in one. After each step the few pieces that are out of the plane are handled:

- A piece near a pocket sinks while its middle is past the edge, and is removed when it cannot come
  back.
- A piece that was knocked upwards flies until it lands. Meanwhile it meets nothing but the frame,
  and passes over that if it is higher.

A piece that lies on others takes no part until what carries its middle has moved away; then it
lies on the wood where it was.

Chance comes only from the seed: whether a rim catches under another, whether a hanging piece
falls. Nothing depends on the clock or on the process: on one kind of machine with one version of
pymunk, the same shot is the same everywhere.
"""

from __future__ import annotations

import math
import random
from collections.abc import Sequence
from itertools import combinations
from typing import Any

import pymunk

from jackspot.core.pieces import Piece, Pocket
from jackspot_sim.physics.boards import GRAVITY_MM_S2, PhysicalBoard, disc_of, tips_within_mm
from jackspot_sim.physics.effects import EFFECTS
from jackspot_sim.physics.space import (
    HOPPING,
    ON_WOOD,
    OVER_FRAME,
    SLIDES,
    STANDS,
    STRIKES,
    Slider,
    plane_of,
    put,
    stepping,
    take,
    weigh,
)
from jackspot_sim.physics.values import (
    FRAMES_A_SECOND,
    STRIKER,
    Flick,
    Flown,
    Frame,
    Knock,
    Lying,
    PieceFall,
    Shot,
    Spot,
    TippingPiece,
    Touch,
)

STEP_MM = 0.5
"""Nothing moves further in one step; collisions are located this exactly."""
FEWEST_STEPS, MOST_STEPS = 4, 200
"""Steps of a sixtieth of a second."""
OVERLAP_MM = 0.25
"""How far the plane lets pieces sink into each other."""
PARTING_ROUNDS = 60
LONGEST_S = 20.0
"""A shot is over after this long, whatever still moves."""
HEARD_MM_S = 30.0
"""Slower collisions make no sound."""


def shoot(board: PhysicalBoard, lying: Sequence[Lying], flick: Flick, seed: int | str = 0) -> Shot:
    """Compute a whole shot. ValueError if two pieces share a number, or one has the striker's."""
    numbers = [each.number for each in lying]
    if len(set(numbers)) != len(numbers) or STRIKER in numbers:
        raise ValueError(f"expected numbers from 1, each once: found {sorted(numbers)}")
    return _Course(board, lying, flick, random.Random(f"shot {seed}")).run()


class _Course:
    """A shot in progress."""

    def __init__(
        self, board: PhysicalBoard, lying: Sequence[Lying], flick: Flick, rng: random.Random
    ) -> None:
        self._board = board
        self._rng = rng
        self._now_s = 0.0
        self._space = plane_of(board)
        self._sliders: dict[int, Slider] = {}
        self._by_body: dict[pymunk.Body, Slider] = {}
        self._carried = {each.number: each for each in lying if each.level > 0}
        self._frames: list[Frame] = []
        self._falls: list[PieceFall] = []
        self._flown: list[Flown] = []
        self._contacts: list[Knock] = []
        self._hops: list[tuple[Slider, float]] = []
        self._first_hit: int | None = None
        self._frame_met = self._by_frame = False
        self._pockets = {pocket: board.pocket_at(pocket) for pocket in Pocket}
        self._load_changed = bool(self._carried)
        for each in lying:
            if each.level == 0:
                self._add(each.number, each.piece, (each.x_mm, each.y_mm)).body.sleep()
        striker = self._add(STRIKER, Piece.STRIKER, (flick.x_mm, flick.y_mm))
        striker.body.velocity = (
            flick.speed_mm_s * math.cos(flick.angle_rad),
            flick.speed_mm_s * math.sin(flick.angle_rad),
        )
        striker.awake = True
        self._listen()

    def _add(self, number: int, piece: Piece, at: tuple[float, float]) -> Slider:
        disc = disc_of(self._board, piece)
        tips_mm = tips_within_mm(self._board, disc)
        slider = put(self._space, self._board, number, piece, disc, at, tips_mm)
        self._sliders[number] = slider
        self._by_body[slider.body] = slider
        return slider

    # --- the course of it -------------------------------------------------------------------

    def run(self) -> Shot:
        """Let everything happen."""
        self._weigh_down()
        while self._now_s < LONGEST_S:
            moving = self._advance()
            self._release()
            if not moving and not any(not each.body.is_sleeping for each in self._sliders.values()):
                break
        return self._shot()

    def _advance(self) -> bool:
        """Advance by a sixtieth of a second; return whether anything moved."""
        awake = [each for each in self._sliders.values() if each.awake]
        fastest = max((each.body.velocity.length for each in awake), default=0.0)
        steps = math.ceil(fastest / FRAMES_A_SECOND / STEP_MM)
        steps = min(max(steps, FEWEST_STEPS), MOST_STEPS)
        dt = 1.0 / FRAMES_A_SECOND / steps
        start_s = self._now_s
        reach = 2 * fastest / FRAMES_A_SECOND + 1.0
        step, watched = stepping(self._space), self._watched(reach)
        for number in range(1, steps + 1):
            step(dt)
            self._now_s = start_s + number * dt
            if self._hops:
                self._take_off()
                watched = self._watched(reach)
            for slider, at in watched:
                self._look_after(slider, at, dt)
        self._draw()
        return bool(awake)

    def _watched(self, reach_mm: float) -> list[tuple[Slider, Pocket | None]]:
        """Return the pieces to handle at each step, and the pocket they are near."""
        found: list[tuple[Slider, Pocket | None]] = []
        inset = self._board.half_mm - self._board.pocket_inset_mm
        for slider in self._sliders.values():
            if slider.hops:
                found.append((slider, None))
                continue
            if slider.body.is_sleeping:
                continue
            x, y = slider.body.position
            near = slider.tips_mm + reach_mm
            if inset - abs(x) < near and inset - abs(y) < near:
                found.append((slider, _corner(x, y)))
        return found

    def _look_after(self, slider: Slider, pocket: Pocket | None, dt: float) -> None:
        if slider.number not in self._sliders:
            return
        if slider.hops:
            self._fly(slider, dt)
        elif pocket is not None:
            self._sink(slider, pocket, dt)

    def _draw(self) -> None:
        """Keep in a frame what has moved."""
        spots = []
        for slider in self._sliders.values():
            body = slider.body
            awake = not body.is_sleeping
            if awake or slider.awake:
                x, y = body.position
                lift = slider.lift_mm - slider.sunk_mm
                spots.append(Spot(slider.number, x, y, body.angle, lift))
            slider.awake = awake
        self._frames.append(Frame(self._now_s, tuple(spots)))

    # --- pockets ----------------------------------------------------------------------------

    def _sink(self, slider: Slider, pocket: Pocket, dt: float) -> None:
        """Let a piece whose middle is past a pocket's edge sink."""
        x, y = slider.body.position
        at_x, at_y = self._pockets[pocket]
        past_mm = slider.tips_mm - math.hypot(x - at_x, y - at_y)
        if past_mm <= 0.0:
            slider.sunk_mm = slider.sink_mm_s = 0.0
            return
        share = past_mm / (EFFECTS.tip_share * slider.disc.radius_mm)
        slider.sink_mm_s += GRAVITY_MM_S2 * min(max(share, EFFECTS.tip_least), 1.0) * dt
        slider.sunk_mm += slider.sink_mm_s * dt
        if slider.sunk_mm >= EFFECTS.sunk_mm:
            vx, vy = slider.body.velocity
            towards = math.atan2(at_y - y, at_x - x)
            if math.hypot(vx, vy) > 1.0:
                towards = math.atan2(vy, vx)
            drop = TippingPiece(
                x - at_x, y - at_y, vx, vy, slider.sink_mm_s,
                math.atan2(slider.sunk_mm, slider.disc.radius_mm),
                slider.sink_mm_s / slider.disc.radius_mm, towards, slider.body.angular_velocity,
            )  # fmt: skip
            self._falls.append(PieceFall(slider.number, slider.piece, pocket, self._now_s, drop))
            speed = math.hypot(vx, vy)
            lands = slider.disc.mass_g * EFFECTS.lands_mm_s / 1000
            self._contacts.append(Knock(self._now_s, Touch.POCKET, speed, at_x, at_y, lands))
            self._remove(slider)

    def _remove(self, slider: Slider) -> None:
        take(self._space, slider)
        del self._sliders[slider.number]
        del self._by_body[slider.body]

    # --- off the wood -----------------------------------------------------------------------

    def _take_off(self) -> None:
        """Let the pieces that were caught from below in this step hop."""
        for slider, up_mm_s in self._hops:
            if slider.number not in self._sliders or slider.hops:
                continue
            speed = slider.body.velocity.length
            up = min(up_mm_s, speed)
            if up <= 0.0:
                continue
            slider.body.velocity = slider.body.velocity * math.sqrt(1.0 - (up / speed) ** 2)
            slider.lift_mm_s = up
            slider.shape.filter = HOPPING
            weigh(slider, self._board, 0.0)
        self._hops.clear()

    def _fly(self, slider: Slider, dt: float) -> None:
        slider.lift_mm_s -= GRAVITY_MM_S2 * dt
        slider.lift_mm += slider.lift_mm_s * dt
        x, y = slider.body.position
        if max(abs(x), abs(y)) > self._board.half_mm:
            self._flown.append(Flown(slider.number, slider.piece, self._now_s))
            self._remove(slider)
        elif slider.lift_mm <= 0.0 and slider.lift_mm_s <= 0.0:
            slider.lift_mm = slider.lift_mm_s = 0.0
            slider.shape.filter = ON_WOOD
            weigh(slider, self._board)
        else:
            over = slider.lift_mm > self._board.frame_height_mm
            slider.shape.filter = OVER_FRAME if over else HOPPING

    # --- pieces on pieces -------------------------------------------------------------------

    def _weigh_down(self) -> None:
        """Let the load on pieces that carry others hold them in place."""
        for slider in self._sliders.values():
            x, y = slider.body.position
            reach = slider.disc.radius_mm
            above = sum(
                math.hypot(each.x_mm - x, each.y_mm - y) < reach for each in self._carried.values()
            )
            if above:
                weigh(slider, self._board, 1.0 + EFFECTS.stack_drag * above)
                slider.body.sleep()

    def _release(self) -> None:
        """Let down pieces that no longer have anything under their middle, the lowest first."""
        for each in sorted(self._carried.values(), key=lambda one: (one.level, one.number)):
            if not self._is_carried(each):
                del self._carried[each.number]
                slider = self._add(each.number, each.piece, (each.x_mm, each.y_mm))
                slider.awake = True
                self._load_changed = True
        if self._load_changed and self._frames:
            self._load_changed = False
            for slider in self._sliders.values():
                if not slider.hops and not slider.body.is_sleeping:
                    weigh(slider, self._board)

    def _is_carried(self, upper: Lying) -> bool:
        for slider in self._sliders.values():
            x, y = slider.body.position
            if math.hypot(x - upper.x_mm, y - upper.y_mm) < slider.disc.radius_mm:
                return slider.number != STRIKER
        return False

    # --- what meets what --------------------------------------------------------------------

    def _listen(self) -> None:
        on = self._space.on_collision
        on(STRIKES, SLIDES, begin=self._strikes)
        on(SLIDES, SLIDES, begin=self._pieces_meet)
        on(STRIKES, STANDS, begin=self._striker_meets_frame)
        on(SLIDES, STANDS, begin=self._meets_frame)

    def _strikes(self, arbiter: pymunk.Arbiter, space: pymunk.Space, data: Any) -> None:
        if self._first_hit is None:
            self._by_frame = self._frame_met
            struck = max(arbiter.bodies, key=lambda body: self._by_body[body].number)
            self._first_hit = self._by_body[struck].number
        self._pieces_meet(arbiter, space, data)

    def _pieces_meet(self, arbiter: pymunk.Arbiter, _space: pymunk.Space, _data: Any) -> None:
        one, other = arbiter.bodies
        closing = _closing(arbiter)
        masses = one.mass * other.mass / (one.mass + other.mass)
        self._hear(Touch.PIECES, closing, arbiter, masses * (1 + self._board.piece_bounce))
        if closing < EFFECTS.hop_from_mm_s or self._rng.random() >= EFFECTS.hop_chance:
            return
        up = closing * EFFECTS.hop_share * self._rng.random()
        hopper = one if self._rng.random() < 0.5 else other
        self._hops.append((self._by_body[hopper], up))

    def _striker_meets_frame(self, arbiter: pymunk.Arbiter, space: pymunk.Space, data: Any) -> None:
        self._frame_met = True
        self._meets_frame(arbiter, space, data)

    def _meets_frame(self, arbiter: pymunk.Arbiter, _space: pymunk.Space, _data: Any) -> None:
        mass = min(each.mass for each in arbiter.bodies)  # the frame's is infinite
        bounced = mass * (1 + self._board.frame_bounce)
        self._hear(Touch.FRAME, _closing(arbiter), arbiter, bounced)

    def _hear(self, touch: Touch, closing: float, arbiter: pymunk.Arbiter, mass_g: float) -> None:
        """Keep a collision; ``mass_g`` times its speed is the momentum that passed."""
        if closing >= HEARD_MM_S:
            at = arbiter.contact_point_set.points[0].point_a
            impulse = mass_g * closing / 1000
            self._contacts.append(Knock(self._now_s, touch, closing, at.x, at.y, impulse))

    # --- the end ----------------------------------------------------------------------------

    def _shot(self) -> Shot:
        while self._frames and not self._frames[-1].spots:
            self._frames.pop()
        duration_s = self._frames[-1].at_s if self._frames else 0.0
        striker = self._sliders.pop(STRIKER, None)
        self._slide_apart()
        resting = []
        for slider in self._sliders.values():
            x, y = slider.body.position
            if not self._hangs_and_falls(slider, x, y, duration_s):
                resting.append(Lying(slider.number, slider.piece, x, y))
        return Shot(
            tuple(self._frames), tuple(self._falls), tuple(self._flown),
            tuple(sorted([*resting, *self._carried.values()], key=lambda each: each.number)),
            tuple(self._contacts), duration_s,
            None if striker is None else (striker.body.position.x, striker.body.position.y),
            self._first_hit, self._by_frame,
        )  # fmt: skip

    def _slide_apart(self) -> None:
        """Part pieces that still overlap.

        A piece that was let down beside the one it had leaned on lies partly on it; the plane
        pushes them apart so gently that they may come to rest before that.
        """
        lie = [each for each in self._sliders.values() if not each.hops]
        at = [(each.body.position.x, each.body.position.y) for each in lie]
        for _round in range(PARTING_ROUNDS):
            near = [
                pair for pair in combinations(range(len(lie)), 2) if self._overlap(lie, at, pair)
            ]
            if not near:
                return
            for one, other in near:
                self._part(lie, at, one, other)
                self._part(lie, at, other, one)

    def _overlap(
        self, lie: Sequence[Slider], at: Sequence[tuple[float, float]], pair: tuple[int, int]
    ) -> bool:
        one, other = pair
        radii = lie[one].disc.radius_mm + lie[other].disc.radius_mm
        return math.dist(at[one], at[other]) < radii - OVERLAP_MM

    def _part(
        self, lie: Sequence[Slider], at: list[tuple[float, float]], one: int, other: int
    ) -> None:
        """Move one piece away from another by half their overlap, within the frame."""
        away = math.dist(at[one], at[other])
        half = (lie[one].disc.radius_mm + lie[other].disc.radius_mm - away) / 2
        if half <= 0.0:
            return
        turn = math.atan2(at[one][1] - at[other][1], at[one][0] - at[other][0])
        room = self._board.half_mm - lie[one].disc.radius_mm
        x, y = at[one][0] + half * math.cos(turn), at[one][1] + half * math.sin(turn)
        at[one] = min(max(x, -room), room), min(max(y, -room), room)
        lie[one].body.position = at[one]

    def _hangs_and_falls(self, slider: Slider, x: float, y: float, rest_s: float) -> bool:
        """Decide whether a piece that hangs over a pocket's edge falls after all."""
        pocket = _corner(x, y)
        at_x, at_y = self._pockets[pocket]
        past = math.hypot(x - at_x, y - at_y)
        hole = self._board.pocket_radius_mm
        if past >= hole or slider.disc.radius_mm >= hole:
            return False
        chance = EFFECTS.hang_falls * min((hole - past) / (hole - slider.tips_mm), 1.0)
        if self._rng.random() >= chance:
            return False
        late_s = EFFECTS.hang_least_s + self._rng.expovariate(1.0 / EFFECTS.hang_mean_s)
        towards = math.atan2(at_y - y, at_x - x)
        drop = TippingPiece(
            x - at_x, y - at_y, 0.0, 0.0, EFFECTS.hung_sinks_mm_s, EFFECTS.hung_leans_rad,
            EFFECTS.hung_turns_rad_s, towards, 0.0,
        )  # fmt: skip
        self._falls.append(
            PieceFall(slider.number, slider.piece, pocket, rest_s + late_s, drop, late=True)
        )
        return True


def _corner(x: float, y: float) -> Pocket:
    """Return the pocket of a quarter of the board."""
    if y > 0:
        return Pocket.NE if x > 0 else Pocket.NW
    return Pocket.SE if x > 0 else Pocket.SW


def _closing(arbiter: pymunk.Arbiter) -> float:
    """Return how fast two bodies approach each other where they meet."""
    one, other = arbiter.bodies
    return abs((other.velocity - one.velocity).dot(arbiter.normal))
