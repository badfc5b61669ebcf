// Polhode from Rust, as a physics engine such as Avian would call it: its components stay as they are (a rotation as a
// quaternion x y z w, the angular velocity in world axes, principal moments with a local frame), in single precision,
// and one call a tick steps all bodies in their place. Nothing but the C interface is used, polhode/engine.h:
//
//   rustc --edition 2021 -O main.rs -L DIR -l static=polhode_engine -l stdc++
//
// T-handles turn about their middle axes, which is unstable: they flip, again and again. The program fails where energy
// or momentum are not kept.
use std::ffi::CStr;
use std::mem::size_of;
use std::os::raw::{c_char, c_int};
use std::ptr::null;

type Vec3 = [f32; 3];
type Quat = [f32; 4]; // x y z w

#[repr(C)]
#[derive(Clone, Copy, Default)]
struct Spin {
    attitude_wxyz: [f32; 4],
    momentum: [f32; 3],
    memory: [f32; 9],
}

#[repr(C)]
#[derive(Clone, Copy, Default)]
struct Inertia {
    opaque: [f32; 12],
}

#[repr(C)]
struct Batch {
    count: usize,
    inertias: *const Inertia,
    inertia_stride: usize,
    torques: *const f32,
    torque_stride: usize,
    options: *const u8, // none here
    awake: *const u32,
    awake_count: usize,
    statuses: *mut c_int,
    first_refused: *mut usize,
    torque_kind: c_int,
}

#[repr(C)]
struct Arrays {
    attitudes: *mut f32,
    attitude_stride: usize,
    rates: *mut f32,
    rate_stride: usize,
    kept: *mut Spin,
    kept_stride: usize,
    attitude_order: c_int,
    rate_kind: c_int,
}

const XYZW: c_int = 1;
const VELOCITY_S: c_int = 1;

extern "C" {
    fn polhode_inertia_from_moments_f(made: *mut Inertia, moments: *const f32, axes_wxyz: *const f32) -> c_int;
    fn polhode_spin_from_velocity_f(made: *mut Spin, i: *const Inertia, q: *const f32, w: *const f32) -> c_int;
    fn polhode_spin_add_impulse_f(state: *mut Spin, impulse: *const f32) -> c_int;
    fn polhode_spin_velocity_f(state: *const Spin, i: *const Inertia, w: *mut f32) -> c_int;
    fn polhode_step_arrays_f(arrays: *const Arrays, batch: *const Batch, h: f32) -> c_int;
    fn polhode_engine_text(status: c_int) -> *const c_char;
}

fn checked(status: c_int) -> Result<c_int, String> {
    if status >= 0 {
        return Ok(status);
    }
    Err(unsafe { CStr::from_ptr(polhode_engine_text(status)) }.to_string_lossy().into_owned())
}

fn wxyz(q: Quat) -> [f32; 4] {
    [q[3], q[0], q[1], q[2]]
}

// What a body of the engine consists of, one after another.
struct Body {
    rotation: Quat,
    angular_velocity: Vec3,
    torque: Vec3,
    principal: Vec3, // AngularInertia
    local_frame: Quat,
    inertia: Inertia, // the same made ready, when it changes
    kept: Spin,       // so that rounding does not add up from tick to tick
}

impl Body {
    fn new(principal: Vec3, local_frame: Quat, rotation: Quat, angular_velocity: Vec3) -> Result<Body, String> {
        let mut inertia = Inertia::default();
        let axes = wxyz(local_frame);
        checked(unsafe { polhode_inertia_from_moments_f(&mut inertia, principal.as_ptr(), axes.as_ptr()) })?;
        let (torque, kept) = ([0.0; 3], Spin::default());
        Ok(Body { rotation, angular_velocity, torque, principal, local_frame, inertia, kept })
    }

    // Forces::apply_angular_impulse
    fn apply_angular_impulse(&mut self, impulse: Vec3) -> Result<(), String> {
        let (mut spin, q) = (Spin::default(), wxyz(self.rotation));
        unsafe {
            let w = self.angular_velocity.as_mut_ptr();
            checked(polhode_spin_from_velocity_f(&mut spin, &self.inertia, q.as_ptr(), w))?;
            checked(polhode_spin_add_impulse_f(&mut spin, impulse.as_ptr()))?;
            checked(polhode_spin_velocity_f(&spin, &self.inertia, w))?;
        }
        Ok(())
    }

    // By the textbook and in double precision, as a check: energy and angular momentum.
    fn energy_and_momentum(&self) -> (f64, [f64; 3]) {
        let axes = product(normalised(self.rotation), normalised(self.local_frame));
        let w = self.angular_velocity.map(f64::from);
        let w_principal = turned([-axes[0], -axes[1], -axes[2], axes[3]], w);
        let mut momentum = [0.0; 3];
        let mut energy = 0.0;
        for i in 0..3 {
            momentum[i] = f64::from(self.principal[i]) * w_principal[i];
            energy += 0.5 * momentum[i] * w_principal[i];
        }
        (energy, turned(axes, momentum))
    }

    // On which side of the momentum the middle axis is, the second one here.
    fn side(&self) -> bool {
        let axes = product(normalised(self.rotation), normalised(self.local_frame));
        let axis = turned(axes, [0.0, 1.0, 0.0]);
        let momentum = self.energy_and_momentum().1;
        (0..3).map(|i| axis[i] * momentum[i]).sum::<f64>() > 0.0
    }
}

// IntegratorSystems::Position, for the rotations of all bodies: the number of those that were refused.
fn step(bodies: &mut [Body], delta_seconds: f32) -> Result<c_int, String> {
    let count = bodies.len();
    if count == 0 {
        return Ok(0);
    }
    let (first, stride) = (bodies.as_mut_ptr(), size_of::<Body>());
    unsafe {
        use std::ptr::{addr_of, addr_of_mut};
        let batch = Batch {
            count,
            inertias: addr_of!((*first).inertia),
            inertia_stride: stride,
            torques: addr_of!((*first).torque).cast(),
            torque_stride: stride,
            options: null(),
            awake: null(),
            awake_count: 0,
            statuses: std::ptr::null_mut(),
            first_refused: std::ptr::null_mut(),
            torque_kind: 0,
        };
        let arrays = Arrays {
            attitudes: addr_of_mut!((*first).rotation).cast(),
            attitude_stride: stride,
            rates: addr_of_mut!((*first).angular_velocity).cast(),
            rate_stride: stride,
            kept: addr_of_mut!((*first).kept),
            kept_stride: stride,
            attitude_order: XYZW,
            rate_kind: VELOCITY_S,
        };
        checked(polhode_step_arrays_f(&arrays, &batch, delta_seconds))
    }
}

fn normalised(q: Quat) -> [f64; 4] {
    let q = q.map(f64::from);
    let length = q.iter().map(|x| x * x).sum::<f64>().sqrt();
    q.map(|x| x / length)
}

fn product(a: [f64; 4], b: [f64; 4]) -> [f64; 4] {
    [
        a[3] * b[0] + a[0] * b[3] + a[1] * b[2] - a[2] * b[1],
        a[3] * b[1] - a[0] * b[2] + a[1] * b[3] + a[2] * b[0],
        a[3] * b[2] + a[0] * b[1] - a[1] * b[0] + a[2] * b[3],
        a[3] * b[3] - a[0] * b[0] - a[1] * b[1] - a[2] * b[2],
    ]
}

fn turned(q: [f64; 4], v: [f64; 3]) -> [f64; 3] {
    let r = product(product(q, [v[0], v[1], v[2], 0.0]), [-q[0], -q[1], -q[2], q[3]]);
    [r[0], r[1], r[2]]
}

fn length(v: [f64; 3]) -> f64 {
    v.iter().map(|x| x * x).sum::<f64>().sqrt()
}

fn main() -> Result<(), String> {
    let half = 0.5_f32.sqrt();
    let principal = [0.9, 1.6, 2.1]; // [kg m^2]
    let frames = [[0.0, 0.0, 0.0, 1.0], [half, 0.0, 0.0, half], [0.0, 0.6, 0.0, 0.8]];
    let mut bodies = Vec::new();
    for frame in frames {
        // about the middle axis, wherever the local frame has turned it, and a little about x
        let axis = turned(normalised(frame), [0.0, 1.0, 0.0]).map(|x| x as f32);
        let w = [10.0 * axis[0] + 0.01, 10.0 * axis[1], 10.0 * axis[2]];
        bodies.push(Body::new(principal, frame, [0.0, 0.0, 0.0, 1.0], w)?);
    }
    let start: Vec<(f64, f64)> = bodies.iter().map(Body::energy_and_momentum).map(|(e, l)| (e, length(l))).collect();

    let (h, ticks) = (1.0 / 64.0, 64 * 20);
    let mut flips = vec![0; bodies.len()];
    for _ in 0..ticks {
        let sides: Vec<bool> = bodies.iter().map(Body::side).collect();
        if step(&mut bodies, h)? != 0 {
            return Err("a body was refused".into());
        }
        for i in 0..bodies.len() {
            flips[i] += i32::from(bodies[i].side() != sides[i]);
        }
    }
    println!("{:>8} {:>12} {:>12} {:>14} {:>14} {:>6}", "T-handle", "energy [J]", "after 20 s", "|L| [kg m2/s]", "after", "flips");
    for (i, body) in bodies.iter().enumerate() {
        let ((energy, momentum), (energy_now, momentum_now)) = (start[i], body.energy_and_momentum());
        let momentum_now = length(momentum_now);
        println!("{:>8} {:>12.6} {:>12.6} {:>14.7} {:>14.7} {:>6}", i + 1, energy, energy_now, momentum, momentum_now, flips[i]);
        if (energy_now / energy - 1.0).abs() > 4e-6 || (momentum_now / momentum - 1.0).abs() > 1e-6 || flips[i] < 2 {
            return Err("energy or momentum have changed, or the handle does not flip".into());
        }
    }

    // A blow, and a torque that acts for a tick, change the momentum by as much as they should.
    let before = bodies[0].energy_and_momentum().1;
    bodies[0].apply_angular_impulse([0.5, 0.0, 0.0])?;
    bodies[0].torque = [0.0, 16.0, 0.0];
    step(&mut bodies, h)?;
    let after = bodies[0].energy_and_momentum().1;
    let change = [after[0] - before[0], after[1] - before[1], after[2] - before[2]];
    println!("a blow of 0.5 about x and 16 N m about y for 1/64 s: {:.4} {:.4} {:.4}", change[0], change[1], change[2]);
    if length([change[0] - 0.5, change[1] - 0.25, change[2]]) > 1e-5 {
        return Err("the blow has changed the momentum by something else".into());
    }

    // What cannot be stepped is named, and stays as it was.
    match Body::new([1.0, f32::NAN, 1.0], frames[0], [0.0, 0.0, 0.0, 1.0], [0.0; 3]) {
        Ok(_) => Err("an inertia that is not a number was taken".into()),
        Err(sentence) => {
            println!("a moment that is not a number: {}", sentence);
            Ok(())
        }
    }
}
